// Loaded at the first search: the server's suggestions as links.
import type { ReactNode } from "react";
import { formatMoney } from "../lib/format";
import { timeLimit } from "../lib/timers";
import type { Suggestions } from "../lib/types";
import { Icon } from "../ui/icon";
import { Picture } from "../ui/picture";

interface Content {
  href: string;
  content: ReactNode;
}

export interface Suggestion extends Content {
  /** For the `ref` of its option while that is marked. */
  show: (option: HTMLElement | null) => void;
}

export async function suggest(text: string, signal: AbortSignal): Promise<Suggestion[]> {
  const response = await fetch(`/api/search/suggest?q=${encodeURIComponent(text)}`, {
    signal: timeLimit(signal),
  });
  return response.ok ? linksOf(await response.json()).map((link) => ({ ...link, show })) : [];
}

/** Brings the option into view, unless the pointer has marked it: then the page would move under the pointer. */
function show(option: HTMLElement | null): void {
  if (!option?.matches(":hover")) option?.scrollIntoView({ block: "nearest" });
}

function linksOf({ terms, categories, products }: Suggestions): Content[] {
  return [
    ...terms.map((term) => ({
      href: `/products?q=${encodeURIComponent(term)}`,
      content: (
        <span className="suggestion-text">
          <Icon name="search" />
          {term}
        </span>
      ),
    })),
    ...categories.map(({ label, href }) => ({
      href,
      content: (
        <>
          <span className="suggestion-text">{label}</span>
          <span className="suggestion-note">Category</span>
        </>
      ),
    })),
    ...products.map(({ title, href, price, picture }) => ({
      href,
      content: (
        <>
          <Picture picture={{ ...picture, alt: "" }} sizes="48px" />
          <span className="suggestion-text">{title}</span>
          <span className="suggestion-note">{formatMoney(price)}</span>
        </>
      ),
    })),
  ];
}
