// What somebody does before the app has taken over the page is done once it has. What works without scripts is left alone.

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Buttons and forms that only scripts make work, and those that ask for it. */
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
  // Who presses again while nothing happens means it once.
  if (acts.some((act) => act.event.target === form)) return;
  acts.push({ event, run: () => form.requestSubmit(event.submitter) });
}

function entered({ target }: Event): void {
  const field = target as Field;
  typed.set(field, field.value);
}

/** Starts with the first script of the page. */
export function recordEarly(): void {
  document.addEventListener("click", clicked, true);
  document.addEventListener("submit", submitted, true);
  document.addEventListener("input", entered, true);
}

/** As soon as React has all of the page in hand, within the event that hurried it, too: from here on it acts itself. */
export function stopEarly(): void {
  document.removeEventListener("click", clicked, true);
  document.removeEventListener("submit", submitted, true);
  // An event that is under way it hands on.
  for (let at = acts.length - 1; at >= 0; at--) if (acts[at]?.event.eventPhase) acts.splice(at, 1);
}

/** Does each act once and in order, when all of the page answers. */
export async function replayEarly(): Promise<void> {
  stopEarly();
  // Until now: what is typed last is what stays.
  document.removeEventListener("input", entered, true);
  for (const [field, value] of typed) enter(field, value);
  for (const { run } of acts) {
    // React has done what it then had in hand.
    await null;
    run();
  }
}

/** React hears of a value that is another than it last saw or set, so it is told one and the browser the other. */
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
