import type { CSSProperties } from "react";
import { reusableList } from "../../ssr-runtime/js/reusable";
import type { Facet, FacetOption, ListPage } from "../lib/types";
import { Icon } from "../ui/icon";
import { PriceFilter } from "./price-filter";

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

function FacetGroup({ facet: { label, options, more } }: { facet: Facet }) {
  return (
    <details className="facet" open>
      <summary>
        <h3>{label}</h3>
        <Icon name="chevron" />
      </summary>
      <FacetOptions items={options} />
      {more && (
        <details className="facet-more" open={more.open}>
          <summary>
            {`${more.count} more`}
            <Icon name="chevron" />
          </summary>
          <FacetOptions items={more.options} />
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
        aria-disabled={count === 0 && !selected ? true : undefined}
        style={hex ? ({ "--swatch": hex } as CSSProperties) : undefined}
      >
        {label}
        <small>{count}</small>
      </a>
    </li>
  );
}

const FacetOptions = reusableList(Option, {
  as: "ul",
  attributes: () => ({ "data-feature": "filters", "data-keep-position": "" }) as object,
  // Not the address, which changes with every choice: the focus would be lost. Categories may share a name.
  key: ({ label }, at, all) =>
    all.findIndex((each) => each.label === label) === at ? label : `${label} ${at}`,
});
