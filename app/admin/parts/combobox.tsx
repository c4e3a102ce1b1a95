import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { failure } from "../call";
import { scrollIntoView } from "./scroll-to-current";

interface Props<Item> {
  label: string;
  hint?: string;
  /** Fetches the matches; the query contains the typed text. */
  fetchMatches: (query: string, signal: AbortSignal) => Promise<Item[]>;
  id: (item: Item) => string;
  show: (item: Item) => ReactNode;
  onChoose: (item: Item) => void;
}

const PAUSE_MS = 150;

/** A search field with a list of matches to choose from. */
export function Combobox<Item>(props: Props<Item>) {
  const { label, hint, fetchMatches, id, show, onChoose } = props;
  const [typed, setTyped] = useState("");
  const [answer, setAnswer] = useState<{ typed: string; found: Item[] } | null>(null);
  /** Why there is no answer. Told here: a dialog covers the toasts and makes them inert. */
  const [problem, setProblem] = useState<string | null>(null);
  const [activeIndex, setActiveIndex] = useState(0);
  const [open, setOpen] = useState(false);
  const name = useId();
  /** Enter was pressed before the response arrived, as barcode scanners do. */
  const enterPending = useRef(false);
  const query = typed.trim();
  const found = answer?.found ?? [];
  const isOpen = open && query !== "" && answer !== null;

  const fetchQuery = useEffectEvent((signal: AbortSignal) =>
    fetchMatches(`q=${encodeURIComponent(query)}`, signal),
  );
  const receive = useEffectEvent((items: Item[]) => {
    setAnswer({ typed: query, found: items });
    setProblem(null);
    setActiveIndex(0);
    if (enterPending.current && items.length === 1) choose(items[0]);
    enterPending.current = false;
  });
  useEffect(() => {
    if (!query) {
      setAnswer(null);
      setProblem(null);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      fetchQuery(abort.signal).then(receive, (error: unknown) => {
        if (abort.signal.aborted) return;
        setProblem(failure(error).message);
        setAnswer(null);
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query]);

  function choose(item: Item | undefined): void {
    if (!item) return;
    onChoose(item);
    setTyped("");
    setOpen(false);
  }

  return (
    <div className="field find-box">
      <label className="label" htmlFor={name}>
        {label}
      </label>
      <input
        id={name}
        className="input"
        type="text"
        role="combobox"
        aria-expanded={isOpen && found.length > 0}
        aria-controls={`${name}-list`}
        aria-activedescendant={isOpen && found[activeIndex] ? `${name}-${activeIndex}` : undefined}
        aria-autocomplete="list"
        aria-describedby={hint && `${name}-hint`}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setOpen(true);
          enterPending.current = false;
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            // Enter must not submit the surrounding form.
            event.preventDefault();
            if (answer?.typed !== query) enterPending.current = query !== "";
            else if (isOpen) choose(found[activeIndex]);
          } else if (!isOpen || found.length === 0) return;
          else if (event.key === "ArrowDown") setActiveIndex((activeIndex + 1) % found.length);
          else if (event.key === "ArrowUp")
            setActiveIndex((activeIndex + found.length - 1) % found.length);
          else if (event.key === "Escape") setOpen(false);
          else return;
          event.preventDefault();
        }}
      />
      <div
        id={`${name}-list`}
        role="listbox"
        aria-label="Found"
        className="find-list"
        hidden={!isOpen || found.length === 0}
      >
        {isOpen &&
          found.map((item, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys.
            <div
              key={id(item)}
              id={`${name}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === activeIndex}
              ref={index === activeIndex ? scrollIntoView : null}
              // Keeps the focus in the input; otherwise the list would close before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(item)}
            >
              {show(item)}
            </div>
          ))}
      </div>
      <p id={`${name}-hint`} className="field-hint" role="status">
        {problem ?? (isOpen && found.length === 0 ? "No matches." : hint)}
      </p>
    </div>
  );
}
