import { useState } from "react";

/** Rows of a list that something is to be done with, on this page and others. */
export interface Selection {
  /** Ids that were ticked one by one or by the page. */
  ids: ReadonlySet<string>;
  /** Everything that the list's query finds, whatever is ticked. */
  isAll: boolean;
  count: number;
  has(id: string): boolean;
  toggle(id: string): void;
  /** Ticks these, or takes the ticks away when all of them have one. */
  togglePage(ids: string[]): void;
  selectAll(): void;
  clear(): void;
}

/** Stays while somebody pages; ends when they ask for another list. */
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
