// Records clicks, submits, and typing before hydration, and replays them afterward. Elements that work without scripts
// are left alone.

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Buttons and forms that do nothing without scripts, and those with `data-replay`. */
const BUTTONS = "button:is([type=button]:not([popovertarget]), [data-replay])";
const FORMS = "form:is([method=post]:not([action]), [data-replay])";

const actions: { event: Event; run: () => void }[] = [];
const typedValues = new Map<Field, string>();

function recordClick(event: Event): void {
  const button = (event.target as Element).closest<HTMLButtonElement>(BUTTONS);
  if (!button) return;
  event.preventDefault();
  actions.push({ event, run: () => button.click() });
}

function recordSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  if (!form.matches(FORMS)) return;
  event.preventDefault();
  // Repeated submits of the same form count once.
  if (actions.some((action) => action.event.target === form)) return;
  actions.push({ event, run: () => form.requestSubmit(event.submitter) });
}

function recordInput({ target }: Event): void {
  const field = target as Field;
  typedValues.set(field, field.value);
}

/** Called by the first script of the page. */
export function recordEarly(): void {
  document.addEventListener("click", recordClick, true);
  document.addEventListener("submit", recordSubmit, true);
  document.addEventListener("input", recordInput, true);
}

/** Called as soon as hydration is complete, possibly during an event: from then on React handles clicks and submits. */
export function stopEarly(): void {
  document.removeEventListener("click", recordClick, true);
  document.removeEventListener("submit", recordSubmit, true);
  // React handles an event that is still being dispatched, which can only be the last one.
  if (actions.at(-1)?.event.eventPhase) actions.pop();
}

/** Replays each action once and in order, after hydration. */
export async function replayEarly(): Promise<void> {
  stopEarly();
  // Typing is recorded until now, so that the last value wins.
  document.removeEventListener("input", recordInput, true);
  for (const [field, value] of typedValues) restoreValue(field, value);
  for (const { run } of actions) {
    // Let React finish the previous action first.
    await null;
    run();
  }
}

/**
 * React ignores input events unless the value differs from the one it tracked last. So a different value is set through
 * React's own setter first, then the typed one through the native setter.
 */
function restoreValue(field: Field, value: string): void {
  if (field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type)) {
    // A radio button that another one has replaced since is left.
    if (field.type === "radio" && !field.checked) return;
    field.checked = !field.checked;
    field.click();
    return;
  }
  if (field.type !== "file") {
    field.value = value ? "" : " ";
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
  }
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
  if (!field.matches(":focus")) field.dispatchEvent(new Event("focusout", { bubbles: true }));
}
