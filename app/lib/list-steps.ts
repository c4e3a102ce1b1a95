// From one list to the next, without anything moving that the visitor looks at. Loaded with `run-navigation.ts`.
import { pathAndQuery } from "./links";
import { type ExpectedFilters, screen } from "./screen";
import type { Envelope, Facet, FacetOption, Link, ListPage } from "./types";

const LIST = "catalog/list";

/**
 * What is known of the next list before the answer. The row of chosen filters takes or leaves its space at once: when an
 * answer arrives, that would move the products while the visitor looks at them.
 */
export function expectedFilters({ page, props }: Envelope, url: URL): ExpectedFilters | null {
  if (page !== LIST) return null;
  const list = props as ListPage;
  return url.pathname === list.action
    ? { before: list.active, after: filtersAt(list, pathAndQuery(url), url.searchParams) }
    : null;
}

function filtersAt(
  { active, clear_href, facets, price, q }: ListPage,
  destination: string,
  query: URLSearchParams,
): Link[] {
  if (destination === clear_href) return [];
  const priced = priceLabel(query);
  const wasPriced = price.selected_min != null || price.selected_max != null;
  // The price is the last one.
  const left = (wasPriced && !priced ? active.slice(0, -1) : active).filter(
    ({ href }) => href !== destination,
  );
  const added = facets
    .flatMap(optionsOf)
    .find(({ href, selected }) => href === destination && !selected);
  const label = added?.label ?? (wasPriced ? null : priced);
  if (!label) return left;
  // An address has the filters in the same order, after the text that is searched for.
  const at = [...query.values()].findIndex((value, at) => value !== price.filters[at]?.value);
  // The link of a filter that is being added leads back to the list on the screen.
  return left.toSpliced(q ? at - 1 : at, 0, { label, href: screen.address });
}

/** In the server's words. */
function priceLabel(query: URLSearchParams): string | null {
  const min = query.get("min_price");
  const max = query.get("max_price");
  if (min) return max ? `$${min} to $${max}` : `From $${min}`;
  return max && `Up to $${max}`;
}

const optionsOf = ({ options, more }: Facet) => [...options, ...(more?.options ?? [])];

/**
 * The next page of a visitor. The server orders the filters of a list by their numbers of products and leaves out those that
 * have none; for a visitor who chooses among them they keep their places, so that none moves under a finger.
 */
export function withSteadyFacets(before: Envelope, next: Envelope): Envelope {
  if (before.page !== LIST || next.page !== LIST) return next;
  const [old, props] = [before.props as ListPage, next.props as ListPage];
  if (old.action !== props.action || old.q !== props.q) return next;
  return { ...next, props: { ...props, facets: steadyFacets(old.facets, props.facets) } };
}

function steadyFacets(before: Facet[], next: Facet[]): Facet[] {
  const kept = before.map((old) =>
    steady(
      old,
      next.find(({ key }) => key === old.key),
    ),
  );
  return [...kept, ...next.filter(({ key }) => !before.some((old) => old.key === key))];
}

function steady(old: Facet, now?: Facet): Facet {
  const fresh = now ? optionsOf(now) : [];
  const placed = new Set<FacetOption>();
  const keep = (option: FacetOption) => {
    const same = fresh.find((each) => each.label === option.label && !placed.has(each));
    if (same) placed.add(same);
    return same ?? { ...option, count: 0, selected: false };
  };
  const options = old.options.map(keep);
  const more = old.more?.options.map(keep) ?? [];
  const added = fresh.filter((option) => !placed.has(option));
  (old.more ? more : options).push(...added);
  const open = old.more?.open || more.some(({ selected }) => selected);
  return { ...old, options, more: old.more ? { count: more.length, open, options: more } : null };
}
