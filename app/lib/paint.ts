/** A page that is about to be hidden paints no more frames. */
const LIMIT_MS = 100;

/** After the next frame, so that a slow phone answers a press sooner. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, LIMIT_MS);
  });
}
