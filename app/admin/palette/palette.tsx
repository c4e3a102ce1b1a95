import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { errorText } from "../../lib/errors";
import { navigate } from "../../lib/navigation";
import type { Found, NavItem } from "../../lib/types";
import { staffCall } from "../call";
import { scrollIntoView } from "../parts/scroll-to-current";
import { mayLeave } from "../parts/unsaved";
import { SETTINGS_PAGES } from "../settings/settings-layout";

interface Props {
  open: boolean;
  items: NavItem[];
  onClose: () => void;
}

interface Entry {
  group: string;
  label: string;
  detail: string;
  href: string;
}

const PAUSE_MS = 120;

/** The command palette: searches orders, products, and customers, and navigates to pages. */
export function Palette({ open, items, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} className="palette" aria-label="Search or go to" onClose={onClose}>
      {open && <Search items={items} onClose={onClose} />}
    </dialog>
  );
}

function Search({ items, onClose }: Omit<Props, "open">) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const id = useId();
  /** Enter was pressed before the results arrived, as barcode scanners do. */
  const enterPending = useRef(false);
  const query = typed.trim();
  const results = useResults(query, (found) => {
    if (enterPending.current) go(entriesOf(found)[0]);
    enterPending.current = false;
  });
  const pages = pagesFor(query, items);
  const entries = [...pages, ...entriesOf(results.found)];
  const isCurrent = results.query === query;
  // Enter opens only what belongs to the present text.
  const choices = isCurrent ? entries : pages;
  const current = choices[Math.min(chosen, choices.length - 1)];

  function go(entry: Entry | undefined): void {
    if (!entry || !mayLeave()) return;
    onClose();
    void navigate(entry.href);
  }
  function move(by: number): void {
    if (choices.length > 0) setChosen((chosen + by + choices.length) % choices.length);
  }
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Search orders, products, and customers, or go to a page"
        aria-expanded={entries.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={current && `${id}-${entries.indexOf(current)}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the dialog is opened for typing.
        autoFocus
        placeholder="Orders, products, customers, pages…"
        maxLength={100}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setChosen(0);
          enterPending.current = false;
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") move(1);
          else if (event.key === "ArrowUp") move(-1);
          else if (event.key !== "Enter") return;
          else if (current || isCurrent) go(current);
          else enterPending.current = true;
          event.preventDefault();
        }}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="palette-list">
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles the keys.
          <div
            key={`${entry.group} ${entry.href}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={entry === current}
            ref={entry === current ? scrollIntoView : null}
            onClick={() => go(entry)}
          >
            <span className="palette-group">{entry.group}</span>
            <span>{entry.label}</span>
            <span className="palette-detail">{entry.detail}</span>
          </div>
        ))}
      </div>
      <p className="palette-note" role="status">
        {isCurrent ? (results.error ?? countText(entries.length)) : "Searching…"}
      </p>
    </>
  );
}

function countText(count: number): string {
  return count === 0 ? "No matches." : `${count} found`;
}

function pagesFor(query: string, items: NavItem[]): Entry[] {
  const start = query.toLowerCase();
  const matches = ({ label }: { label: string }) =>
    label
      .toLowerCase()
      .split(" ")
      .some((word) => word.startsWith(start));
  const pages = items.map(({ label, href, key }) => ({ label, href, detail: `g ${key}` }));
  // The settings pages, once something is typed: access to one includes access to all.
  if (query && items.some(({ href }) => href === "/admin/settings"))
    pages.push(...SETTINGS_PAGES.map(([href, label]) => ({ label, href, detail: "Settings" })));
  return pages.filter(matches).map((place) => ({ group: "Go to", ...place }));
}

function entriesOf({ orders, checkouts, drafts, products, customers }: Found): Entry[] {
  const of = (group: string, items: Found["orders"]) => items.map((item) => ({ group, ...item }));
  return [
    ...of("Order", orders),
    ...of("Unfinished checkout", checkouts),
    ...of("Draft order", drafts),
    ...of("Product", products),
    ...of("Customer", customers),
  ];
}

interface Results {
  /** The query that was answered. */
  query: string;
  found: Found;
  /** Why nothing could be searched. */
  error: string | null;
}

const NOTHING: Found = { orders: [], checkouts: [], drafts: [], products: [], customers: [] };

/** The server's results; the previous ones stay until the new ones arrive. */
function useResults(query: string, onArrive: (found: Found) => void): Results {
  const [results, setResults] = useState<Results>({ query: "", found: NOTHING, error: null });
  const arrive = useEffectEvent(onArrive);
  useEffect(() => {
    if (!query) {
      setResults({ query, found: NOTHING, error: null });
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      staffCall(`/api/admin/search?q=${encodeURIComponent(query)}`, {
        signal: abort.signal,
      }).then(
        (found) => {
          setResults({ query, found, error: null });
          arrive(found);
        },
        (error: unknown) => {
          if (abort.signal.aborted) return;
          setResults({ query, found: NOTHING, error: errorText(error) });
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query]);
  return results;
}
