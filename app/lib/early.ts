// Records clicks, submits, and typing before hydration, and replays them afterward. Elements that work without scripts
// are left alone.

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Buttons and forms that do nothing without scripts, and those with `data-replay`. */
const BUTTONS = "button:is([type=button]:not([popovertarget]), [data-replay])";
const FORMS = "form:is([method=post]:not([action]), [data-replay])";

const acts: { event: Event; run: () => void }[] = [];
const typed = new Map<Field, string>();

function clicked(event: Event): void {
  const button = (event.target as Element).closest<HTMLButtonElement>(BUTTONS);
  if (!button) return;
  event.preventDefault();
  acts.push({ event, run: () => button.click() });
}

function submitted(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  if (!form.matches(FORMS)) return;
  event.preventDefault();
  // Repeated submits of the same form count once.
  if (acts.some((act) => act.event.target === form)) return;
  acts.push({ event, run: () => form.requestSubmit(event.submitter) });
}

function entered({ target }: Event): void {
  const field = target as Field;
  typed.set(field, field.value);
}

/** Called by the first script of the page. */
export function recordEarly(): void {
  document.addEventListener("click", clicked, true);
  document.addEventListener("submit", submitted, true);
  document.addEventListener("input", entered, true);
}

/** Called as soon as hydration is complete, possibly during an event: from then on React handles clicks and submits. */
export function stopEarly(): void {
  document.removeEventListener("click", clicked, true);
  document.removeEventListener("submit", submitted, true);
  // React handles an event that is still being dispatched.
  for (let at = acts.length - 1; at >= 0; at--) if (acts[at]?.event.eventPhase) acts.splice(at, 1);
}

/** Replays each action once and in order, after hydration. */
export async function replayEarly(): Promise<void> {
  stopEarly();
  // Typing is recorded until now, so that the last value wins.
  document.removeEventListener("input", entered, true);
  for (const [field, value] of typed) enter(field, value);
  for (const { run } of acts) {
    // Let React finish the previous action first.
    await null;
    run();
  }
}

/**
 * React ignores input events unless the value differs from the one it tracked last. So a different value is set through
 * React's own setter first, then the typed one through the native setter.
 */
function enter(field: Field, value: string): void {
  if (field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type)) {
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
}
