import { useState } from "react";

interface Selected {
  /** Ids that were selected one by one or by page. */
  ids: ReadonlySet<string>;
  /** All results of the list's query are selected, not only `ids`. */
  isAll: boolean;
}

/** The selected rows of a list, across its pages. */
export interface Selection extends Selected {
  count: number;
  has(id: string): boolean;
  /** Selects or deselects a row of this page. */
  toggle(id: string, page: string[]): void;
  /** Selects these, or deselects them if all are selected. */
  togglePage(page: string[]): void;
  selectAll(): void;
  clear(): void;
}

const NOTHING: Selected = { ids: new Set(), isAll: false };

/** Once one of all results is deselected, only the others of its page stay: they are what staff see. */
export function toggleRow({ ids, isAll }: Selected, id: string, page: string[]): Selected {
  const next = new Set(isAll ? page : ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, isAll: false };
}

export function togglePage({ ids, isAll }: Selected, page: string[]): Selected {
  if (isAll) return NOTHING;
  const next = new Set(ids);
  const remove = page.every((id) => next.has(id));
  for (const id of page) remove ? next.delete(id) : next.add(id);
  return { ids: next, isAll: false };
}

/** Keeps the selection across pages; clears it when the query changes. */
export function useSelection(query: string, total: number): Selection {
  const [state, setState] = useState({ query, ...NOTHING });
  const current = state.query === query ? state : NOTHING;
  const { ids, isAll } = current;
  const set = (next: Selected) => setState({ query, ...next });
  return {
    ids,
    isAll,
    count: isAll ? total : ids.size,
    has: (id) => isAll || ids.has(id),
    toggle: (id, page) => set(toggleRow(current, id, page)),
    togglePage: (page) => set(togglePage(current, page)),
    selectAll: () => set({ ...NOTHING, isAll: true }),
    clear: () => set(NOTHING),
  };
}
