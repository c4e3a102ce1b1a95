import { type KeyboardEvent, useEffect, useState } from "react";
import { navigate } from "../lib/navigation";
import { Icon } from "../ui/icon";
import type { Suggestion } from "./suggest";

const DELAY_MS = 150;
const NONE: Suggestion[] = [];

/** The shop's search with suggestions while typing: a combobox over a plain form. */
export function SearchBox({ query }: { query: string }) {
  const [typed, setTyped] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [marked, setMarked] = useState<Suggestion>();
  const links = useSuggestions(typed);
  // Of another list, nothing is marked.
  const active = links.indexOf(marked as Suggestion);
  const shown = open && links.length > 0;

  function keyPressed(event: KeyboardEvent): void {
    const { key } = event;
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    const chosen = links[active];
    if (step !== 0 && links.length > 0) {
      // One more position than there are options: no option, only the typed text.
      const places = links.length + 1;
      setMarked(links[open ? ((active + 1 + step + places) % places) - 1 : -1]);
      setOpen(true);
      event.preventDefault();
    } else if (key === "Enter" && shown && chosen) {
      event.preventDefault();
      void navigate(chosen.href);
    } else if (key === "Escape" && shown) {
      event.preventDefault();
      setOpen(false);
      setMarked(undefined);
    }
  }

  return (
    <search
      className="search-box"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <form method="get" className="search" action="/products" onSubmit={() => setOpen(false)}>
        <label className="visually-hidden" htmlFor="search">
          Search the shop
        </label>
        <input
          id="search"
          type="text"
          enterKeyHint="search"
          name="q"
          defaultValue={query}
          placeholder="Search the shop"
          autoComplete="off"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={shown}
          aria-controls="suggestions"
          aria-activedescendant={shown && active >= 0 ? `suggestion-${active}` : undefined}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setOpen(true);
            setMarked(undefined);
          }}
          onKeyDown={keyPressed}
        />
        <button type="submit" aria-label="Search">
          <Icon name="search" />
        </button>
      </form>
      {/* tabIndex keeps the focus inside while the list is clicked or scrolled. */}
      <div
        id="suggestions"
        className="suggestions"
        role="listbox"
        aria-label="Suggestions"
        tabIndex={-1}
        hidden={!shown}
      >
        {links.map((link, index) => (
          <a
            key={link.href}
            id={`suggestion-${index}`}
            href={link.href}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            ref={index === active ? link.show : null}
            // Not by touch, which scrolls the list: a tap sends it only just before its click.
            onMouseMove={() => setMarked(link)}
          >
            {link.content}
          </a>
        ))}
      </div>
      <p className="visually-hidden" role="status">
        {shown && `${links.length} found`}
      </p>
    </search>
  );
}

/** The server's suggestions for a text; none before the first key press. */
function useSuggestions(typed: string | null): Suggestion[] {
  const [found, setFound] = useState(NONE);
  const text = typed?.trim() ?? "";
  useEffect(() => {
    if (!text) {
      setFound(NONE);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      // Suggestions are a convenience: without them the search still works.
      import("./suggest")
        .then(({ suggest }) => suggest(text, abort.signal))
        .then(setFound, () => {});
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  return found;
}
