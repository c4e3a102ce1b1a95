import { isRecord, session } from "./storage";

/**
 * Scroll positions by history entry. The browser restores positions before a fetched page is shown, so its restoration is
 * off while the app runs, and on again when the document is left (reload, or another site and back).
 */
const KEY = "shop.scroll";
const MAX_ENTRIES = 50;

type Position = [left: number, top: number];

/** What `history.state` holds. */
interface EntryState {
  entry: string;
}

let positions = new Map<string, Position>();
let entry = "";
/** The current entry's position as it was entered: the page that is left may still scroll. */
let entered: Position | undefined;

export function startScrollMemory(): void {
  const saved = session.read(KEY, isRecord) ?? {};
  positions = new Map(Object.entries(saved).filter(isSaved));
  enterEntry();
  history.scrollRestoration = "manual";
  if (scrollY === 0 && entered) restoreScroll();
  storePosition();
  addEventListener("scroll", storePosition, { passive: true });
  addEventListener("pagehide", () => {
    history.scrollRestoration = "auto";
    session.write(KEY, Object.fromEntries([...positions].slice(-MAX_ENTRIES)));
  });
  addEventListener("pageshow", () => {
    history.scrollRestoration = "manual";
  });
}

/** Assigns positions to the current history entry from here on. Returns whether the app created that entry. */
export function enterEntry(): boolean {
  const isOwn = isEntryState(history.state);
  if (!isOwn) history.replaceState(newEntryState(), "");
  entry = (history.state as EntryState).entry;
  entered = positions.get(entry);
  return isOwn;
}

export function newEntryState(): EntryState {
  return { entry: Math.random().toString(36).slice(2) };
}

export function restoreScroll(): void {
  const [left, top] = entered ?? [0, 0];
  scrollTo({ left, top, behavior: "instant" });
}

export function storePosition(): void {
  positions.delete(entry);
  positions.set(entry, [scrollX, scrollY]);
}

function isEntryState(value: unknown): value is EntryState {
  return isRecord(value) && typeof value.entry === "string";
}

function isSaved(pair: [string, unknown]): pair is [string, Position] {
  const [, value] = pair;
  return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);
}
