// Records clicks, submits, and typing before hydration, and replays them afterward. Elements that work without scripts
// are left alone, unless something was recorded before: leaving the page would lose it.

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Buttons and forms that do nothing without scripts, and those with `data-replay`. */
const BUTTONS = "button:is([type=button]:not([popovertarget]),[data-replay])";
const FORMS = "form:is([method=post]:not([action]),[data-replay])";
const LINKS = ",a[href]:not([target])";

/** What is put off until the next frame does not take longer (`paint.ts`). */
const PAUSE_MS = 100;

const actions: { event: Event; leaves: boolean; run: () => void }[] = [];
const typedValues = new Map<Field, string>();

/** The number of API calls without an answer, counted by `api.ts`, which a first visit may not need. */
export const calls = { running: 0 };

/** Whether leaving the page would lose an action. Where the code did not load, none will be done. */
const holds = () => actions[0] && !document.documentElement.dataset.unloaded;

function recordClick(event: MouseEvent): void {
  const button = (event.target as Element).closest<HTMLElement>(
    holds() ? BUTTONS + LINKS : BUTTONS,
  );
  if (!button) return;
  const leaves = "href" in button;
  // A new tab or window loses nothing, and who presses a link again does not want to wait.
  if (
    leaves &&
    (event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      actions.some(({ event }) => button.contains(event.target as Node)))
  )
    return;
  event.preventDefault();
  actions.push({ event, leaves, run: () => button.click() });
}

function recordSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const leaves = !form.matches(FORMS);
  if (leaves && !holds()) return;
  event.preventDefault();
  // Repeated submits of the same form count once.
  if (actions.some((action) => action.event.target === form)) return;
  const { activeElement } = document;
  actions.push({
    event,
    leaves,
    run() {
      // A field may have its own use for Enter, which the browser took for a submit.
      const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
      if (activeElement?.dispatchEvent(enter)) form.requestSubmit(event.submitter);
    },
  });
}

function recordInput({ target }: Event): void {
  const field = target as Field;
  typedValues.set(field, field.value);
  // A reload would lose it (`start.ts`).
  document.documentElement.dataset.once = "1";
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

/** The first action that may lead to another document without scripts. */
export const firstSent = () =>
  actions.find(
    ({ event, leaves }) =>
      leaves || event.type === "submit" || (event.target as Element).closest("button[data-replay]"),
  );

/** Replays each action once and in order, after hydration; without scripts, only the first that leads to another document. */
export async function replayEarly(unloaded = false): Promise<void> {
  stopEarly();
  // Typing is recorded until now, so that the last value wins.
  document.removeEventListener("input", recordInput, true);
  for (const [field, value] of typedValues) restoreValue(field, value);
  if (unloaded) return firstSent()?.run();
  for (const { leaves, run } of actions.splice(0)) {
    // Let React finish the previous action first.
    await null;
    // What the earlier ones have begun would be lost. Each call has a time limit.
    if (leaves)
      do await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      while (calls.running);
    run();
  }
}

/**
 * React ignores input events unless the value differs from the one it tracked last. So a different value is set through
 * React's own setter first, then the typed one through the native setter.
 */
function restoreValue(field: Field, value: string): void {
  const input = field as HTMLInputElement;
  if (/^(checkbox|radio)$/.test(input.type)) {
    // A radio button that another one has replaced since is left.
    if (input.type === "radio" && !input.checked) return;
    input.checked = !input.checked;
    input.click();
    return;
  }
  if (field.type !== "file") {
    field.value = value ? "" : " ";
    Reflect.set(Object.getPrototypeOf(field), "value", value, field);
  }
  const types = field.matches(":focus") ? ["input", "change"] : ["input", "change", "focusout"];
  for (const type of types) field.dispatchEvent(new Event(type, { bubbles: true }));
}
