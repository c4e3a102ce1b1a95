import type { CSSProperties } from "react";
import { template, templateList } from "../../ssr-runtime/js/reusable";
import type { Facet, FacetOption, ListPage } from "../lib/types";
import { Icon } from "../ui/icon";
import { PriceFilter } from "./price-filter";

/** How many options of a facet are shown without expanding it. */
const SHOWN_OPTIONS = 8;

/**
 * The filters: a column on wide screens, a drawer on phones. Both are one popover, which the style sheet shows as a
 * column on wide screens. Every option is a link, so the filters work without scripts.
 */
export function Facets(props: ListPage) {
  const { facets, total } = props;
  return (
    <section id="filters" className="filters" popover="auto" aria-labelledby="filters-heading">
      <div className="filters-head">
        <h2 id="filters-heading" className="label">
          Filters
        </h2>
        <button
          type="button"
          className="icon-button"
          popoverTarget="filters"
          popoverTargetAction="hide"
          aria-label="Close filters"
        >
          <Icon name="close" />
        </button>
      </div>
      {facets.map((facet) => (
        <FacetGroup key={facet.key} facet={facet} />
      ))}
      <PriceFilter {...props} />
      <button
        type="button"
        className="button button-primary filters-show"
        popoverTarget="filters"
        popoverTargetAction="hide"
      >
        {total === 1 ? "Show 1 product" : `Show ${total} products`}
      </button>
    </section>
  );
}

function Heading({ label }: { label: string }) {
  return (
    <>
      <h3>{label}</h3>
      <Icon name="chevron" />
    </>
  );
}

const Summary = template(Heading, { as: "summary", texts: ["label"], shape: () => "" });

function FacetGroup({ facet }: { facet: Facet }) {
  const { label, options } = facet;
  const many = options.length > SHOWN_OPTIONS + 1;
  const first = many ? options.slice(0, SHOWN_OPTIONS) : options;
  const rest = many ? options.slice(SHOWN_OPTIONS) : [];
  return (
    <details className="facet" open>
      <Summary label={label} />
      <FacetOptions items={first} />
      {many && (
        <details className="facet-more" open={rest.some(({ selected }) => selected)}>
          <summary>{`${rest.length} more`}</summary>
          <FacetOptions items={rest} />
        </details>
      )}
    </details>
  );
}

function Option({ label, count, selected, href, hex }: FacetOption) {
  return (
    <li>
      <a
        href={href}
        rel="nofollow"
        aria-current={selected || undefined}
        style={hex ? ({ "--swatch": hex } as CSSProperties) : undefined}
      >
        {label}
        <small>{count}</small>
      </a>
    </li>
  );
}

/** Every link contains the whole query, so that no option of one list is like one of another. */
const FacetOptions = templateList(Option, {
  as: "ul",
  attributes: () => ({ "data-feature": "filters", "data-keep-position": "" }) as object,
  key: ({ label }) => label,
  texts: ["label", "count", "href", "hex"],
  shape: ({ selected, hex }) => `${selected ? "selected" : ""} ${hex ? "color" : ""}`,
});
