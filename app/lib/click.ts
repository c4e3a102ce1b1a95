/** Whether a click is a plain left click that no other handler has handled. */
export function isPlain(event: MouseEvent): boolean {
  const { metaKey, ctrlKey, shiftKey, altKey } = event;
  return (
    !event.defaultPrevented && event.button === 0 && !(metaKey || ctrlKey || shiftKey || altKey)
  );
}
