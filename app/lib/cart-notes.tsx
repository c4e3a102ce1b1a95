import { useState, useSyncExternalStore } from "react";
import { isRecord, local } from "./storage";

/** Storage key of the server's messages about changes to the cart, kept until the shopper dismisses them. */
const NOTES_KEY = "shop.cart.notes";
const NONE: readonly string[] = [];
const MAX_NOTES = 10;

const listeners = new Set<() => void>();
let notes: readonly string[] | null = null;

function read(): readonly string[] {
  notes ??= local.read(NOTES_KEY, isNotes)?.messages ?? NONE;
  return notes;
}

function write(next: readonly string[]): void {
  notes = next;
  if (next.length > 0) local.write(NOTES_KEY, { messages: next });
  else local.remove(NOTES_KEY);
  for (const listener of listeners) listener();
}

export function addNotes(messages: readonly string[]): void {
  const fresh = messages.filter((message) => !read().includes(message));
  if (fresh.length > 0) write([...read(), ...fresh].slice(-MAX_NOTES));
}

export function clearNotes(): void {
  write(NONE);
}

/**
 * Messages about changes to the cart that the shopper has not dismissed yet. These and what the page's `lines` tell are
 * announced once, from a place that always exists: screen readers announce only additions to an existing one. What was
 * there before the page is not announced again.
 */
export function Notes({ lines = NONE }: { lines?: readonly string[] }) {
  const notes = useNotes();
  const [old] = useState(() => [...lines, ...read()]);
  return (
    <>
      <div aria-live="polite" className="visually-hidden">
        {[...new Set([...lines, ...notes])]
          .filter((note) => !old.includes(note))
          .map((note) => (
            <p key={note}>{note}</p>
          ))}
      </div>
      {notes.length > 0 && (
        <div className="cart-removed">
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
          <button type="button" className="link" onClick={clearNotes}>
            Got it
          </button>
        </div>
      )}
    </>
  );
}

function useNotes(): readonly string[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read,
    () => NONE,
  );
}

function isNotes(value: unknown): value is { messages: string[] } {
  return (
    isRecord(value) &&
    Array.isArray(value.messages) &&
    value.messages.every((message) => typeof message === "string")
  );
}
