import { useState } from "react";

/** The selected rows of a list, across its pages. */
export interface Selection {
  /** Ids that were selected one by one or by page. */
  ids: ReadonlySet<string>;
  /** All results of the list's query are selected, not only `ids`. */
  isAll: boolean;
  count: number;
  has(id: string): boolean;
  toggle(id: string): void;
  /** Selects these, or deselects them if all are selected. */
  togglePage(ids: string[]): void;
  selectAll(): void;
  clear(): void;
}

/** Keeps the selection across pages; clears it when the query changes. */
export function useSelection(query: string, total: number): Selection {
  const [state, setState] = useState({ query, ids: new Set<string>(), isAll: false });
  const current = state.query === query ? state : { query, ids: new Set<string>(), isAll: false };
  const { ids, isAll } = current;
  const set = (next: Partial<typeof state>) => setState({ ...current, ...next });
  return {
    ids,
    isAll,
    count: isAll ? total : ids.size,
    has: (id) => isAll || ids.has(id),
    toggle(id) {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      set({ ids: next, isAll: false });
    },
    togglePage(page) {
      const next = new Set(ids);
      const remove = page.every((id) => next.has(id));
      for (const id of page) remove ? next.delete(id) : next.add(id);
      set({ ids: next, isAll: false });
    },
    selectAll: () => set({ isAll: true }),
    clear: () => set({ ids: new Set(), isAll: false }),
  };
}
