import type { Link } from "./types";
import type { PageTable, View } from "./view";

export interface NavigateOptions {
  /** Replaces the current history entry. */
  replace?: boolean;
  /** Keeps scroll position and focus: for filters and other changes within a page. */
  keepPosition?: boolean;
}

export interface NavigationOptions {
  pages: PageTable;
  /** The page that the server rendered. */
  first: View;
  /** Shows a page; settles when it is on the screen. */
  render(view: View): Promise<void>;
  /** Loads what pages need besides their code. Navigations to other pages wait for it; if it fails, the browser loads the page. */
  prepare(): Promise<unknown>;
}

/** The filters that the next list is expected to have. */
export interface ExpectedFilters {
  /** Those of the list on the screen. */
  before: Link[];
  after: Link[];
}

interface Screen {
  /** Path and query of the page on the screen. During back and forward navigation the address bar is ahead of it. */
  address: string;
  /** True during a navigation. */
  busy: boolean;
  /** During a navigation from a list to the same list with other filters. */
  expected: ExpectedFilters | null;
  /** Forgets prefetched pages. Absent until the code that fetches them is loaded. */
  forgetPrefetched?(): void;
}

/** What `navigation.ts` and the code that it loads both need. */
export const screen: Screen = { address: "", busy: false, expected: null };
