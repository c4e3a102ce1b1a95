// From one list to the next, without anything moving that the visitor looks at. Loaded with `run-navigation.ts`.
import { type ExpectedFilters, screen } from "./screen";
import type { Envelope, Facet, FacetOption, Link, ListPage } from "./types";

const LIST = "catalog/list";

/** The parameters of a list in the order of its address, as on the server, but for the page: after a choice a list is read from its start. */
const NAMES = [
  "q",
  "category",
  "material",
  "color",
  "availability",
  "sale",
  "min_price",
  "max_price",
  "sort",
];
const PRICE = ["min_price", "max_price"];
const NO_FILTERS = ["q", "sort"];

/** What a link or form of a list chooses. A chip removes a filter. */
export type Choice = "filter" | "chip" | "order" | "price" | "no filters";

export function choiceOf(control: Element): Choice {
  if (control.matches("form")) return "price";
  if (control.matches(".sort a")) return "order";
  if (control.matches(".chips a")) return control.matches(".chip") ? "chip" : "no filters";
  return "filter";
}

/**
 * Where a choice leads that is made before the answer to the one before: to both. Its address was made for the list on the
 * screen, so that alone it would take the other one back.
 */
export function withBoth(
  { page, props }: Envelope,
  heading: URL | null,
  url: URL,
  choice: Choice,
): URL {
  const list = props as ListPage;
  if (page !== LIST || url.pathname !== list.action) return url;
  if (heading?.pathname !== list.action) return url;
  const running = pairsOf(heading.searchParams);
  if (choice === "no filters")
    return withQuery(
      heading,
      running.filter(([name]) => NO_FILTERS.includes(name)),
    );
  // Repeated. But the chip of a filter that is being added has the same address as its option, and removes it.
  if (heading.href === url.href && choice !== "chip") return url;
  const changed = changedBy(list, url.searchParams);
  const names = namesSetBy(choice, changed);
  const isChosen = ([name, value]: [string, string]) =>
    names.includes(name) || changed.includes(`${name}=${value}`);
  const kept = running.filter((pair) => !isChosen(pair));
  const added = choice === "chip" ? [] : pairsOf(url.searchParams).filter(isChosen);
  return withQuery(heading, [...kept, ...added].sort(inAddress));
}

function withQuery(url: URL, pairs: [string, string][]): URL {
  const next = new URL(url);
  next.search = new URLSearchParams(pairs).toString();
  return next;
}

/** The parameters that a choice replaces, whatever they are. */
function namesSetBy(choice: Choice, changed: string[]): string[] {
  if (choice === "order") return ["sort"];
  // The chip of the price changes nothing else.
  return choice === "price" || changed.length === 0 ? PRICE : [];
}

const pairsOf = (query: URLSearchParams) =>
  [...query].filter(([name, value]) => value && NAMES.includes(name));

/** The order in which the server writes them. */
function inAddress([a, first]: [string, string], [b, second]: [string, string]): number {
  return NAMES.indexOf(a) - NAMES.indexOf(b) || (first < second ? -1 : 1);
}

/** What an address adds to a list, or takes from it, but for the price: each as `name=value`. */
function changedBy({ price }: ListPage, query: URLSearchParams): string[] {
  const before = price.filters.map(({ name, value }) => `${name}=${value}`);
  const after = pairsOf(query)
    .filter(([name]) => !PRICE.includes(name))
    .map(([name, value]) => `${name}=${value}`);
  return [
    ...before.filter((each) => !after.includes(each)),
    ...after.filter((each) => !before.includes(each)),
  ];
}

/**
 * What is known of the next list before the answer. The row of chosen filters takes or leaves its space at once: when an
 * answer arrives, that would move the products while the visitor looks at them.
 */
export function expectedFilters({ page, props }: Envelope, url: URL): ExpectedFilters | null {
  if (page !== LIST) return null;
  const list = props as ListPage;
  return url.pathname === list.action
    ? { before: list.active, after: filtersAt(list, url.searchParams) }
    : null;
}

/** The link of a filter that is being added is that of its option; as a chip it removes the filter (`withBoth`). */
function filtersAt(list: ListPage, query: URLSearchParams): Link[] {
  const { active, facets, price } = list;
  const links: Link[] = [...facets.flatMap(optionsOf), ...active];
  const keyOf = ({ href }: Link) => changedBy(list, new URLSearchParams(href.split("?")[1])).join();
  const byFilter = new Map(links.map((link) => [keyOf(link), link] as const));
  // An address has the filters in the order of their row. The price is the last one.
  const chosen = pairsOf(query).flatMap(([name, value]) => byFilter.get(`${name}=${value}`) ?? []);
  const priced = priceLabel(query);
  if (!priced) return chosen;
  const wasPriced = price.selected_min != null || price.selected_max != null;
  return [...chosen, (wasPriced && active.at(-1)) || { label: priced, href: screen.address }];
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
