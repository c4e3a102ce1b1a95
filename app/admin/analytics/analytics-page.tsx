import type { CountRow, Figures, AnalyticsPage as Props, SoldRow } from "../../lib/types";
import { AdminLayout } from "../layout";
import { AdminIcon } from "../parts/admin-icon";
import { countOf } from "../parts/list";
import { PageHeader } from "../parts/page-header";
import { Chart } from "../reports/chart";
import { duration, type Format, money, percent, span, whole } from "../reports/format";
import { Funnel } from "../reports/funnel";
import { rowsOf } from "../reports/rows";
import { Tile } from "../reports/tile";
import { PeriodPicker } from "./period-picker";
import { type Bar, Ranking } from "./ranking";

export default function AnalyticsPage(page: Props) {
  return (
    <>
      <PageHeader title="Analytics" note={<span>{span(page.from, page.to)}</span>} />
      <PeriodPicker page={page} />
      <nav className="report-jump" aria-label="Sections">
        {SECTIONS.map(([id, label]) => (
          <a key={id} href={`#${id}`}>
            {label}
          </a>
        ))}
      </nav>
      <VisitsSection page={page} />
      <SalesSection page={page} />
      <CartsSection page={page} />
      <div className="report-grid">
        <RankingSection
          page={page}
          id="products"
          rows={page.products.map(soldBar)}
          valueLabel="Sold"
        />
        <RankingSection
          page={page}
          id="categories"
          rows={page.categories.map(soldBar)}
          valueLabel="Sold"
        />
        <RankingSection page={page} id="pages" rows={page.pages.map(pageBar)} valueLabel="Views" />
        <RankingSection
          page={page}
          id="features"
          rows={page.features.map(countBar)}
          valueLabel="Uses"
        />
        <RankingSection
          page={page}
          id="searches"
          rows={page.searches.map(countBar)}
          valueLabel="Times"
        />
        <RankingSection
          page={page}
          id="empty-searches"
          rows={page.empty_searches.map(emptySearchBar)}
          valueLabel="No results"
        />
      </div>
    </>
  );
}

AnalyticsPage.Layout = AdminLayout;

const SECTIONS: [string, string][] = [
  ["visits", "Visits"],
  ["sales", "Sales"],
  ["carts", "Carts"],
  ["products", "Products"],
  ["categories", "Categories"],
  ["pages", "Pages"],
  ["features", "Features"],
  ["searches", "Searches"],
  ["empty-searches", "Searches with no results"],
];

const INTERVALS = { day: "day", week: "week", month: "month" };

interface Metric {
  label: string;
  figure: (figures: Figures) => number | null;
  format: Format;
  /** Lower values are better. */
  lowerIsBetter?: boolean;
}

function Heading({ id, query }: { id: string; query: string }) {
  const label = SECTIONS.find(([section]) => section === id)?.[1] ?? id;
  return (
    <div className="report-head">
      <h2 id={id}>{label}</h2>
      <a href={`/api/admin/analytics/${id}.csv?${query}`} download>
        <AdminIcon name="download" />
        <span>
          CSV<span className="visually-hidden">{` of ${label.toLowerCase()}`}</span>
        </span>
      </a>
    </div>
  );
}

function Tiles({ page: { now, before, compare }, metrics }: { page: Props; metrics: Metric[] }) {
  return (
    <dl className="tiles tiles-small">
      {metrics.map(({ label, figure, format, lowerIsBetter = false }) => (
        <Tile
          key={label}
          label={label}
          now={figure(now)}
          format={format}
          none="–"
          lowerIsBetter={lowerIsBetter}
          {...(compare && {
            before: before.is_known ? figure(before) : null,
            comparedWith: "the previous period",
          })}
        />
      ))}
    </dl>
  );
}

function Trend({ page: { parts, by, compare }, metrics }: { page: Props; metrics: Metric }) {
  const { label, figure, format } = metrics;
  return (
    <Chart
      title={`${label} by ${INTERVALS[by]}`}
      rows={rowsOf(parts, figure)}
      now={label}
      before={compare ? "Previous period" : null}
      format={format}
    />
  );
}

const VISITS: Metric = { label: "Visits", figure: ({ visits }) => visits, format: whole };
const REVENUE: Metric = { label: "Revenue", figure: ({ revenue }) => revenue, format: money };
const ABANDONED: Metric = {
  label: "Abandoned carts",
  figure: ({ abandoned }) => abandoned,
  format: whole,
  lowerIsBetter: true,
};

function VisitsSection({ page }: { page: Props }) {
  const metrics: Metric[] = [
    VISITS,
    { label: "Page views", figure: ({ page_views }) => page_views, format: whole },
    { label: "Median visit", figure: ({ median_length }) => median_length, format: duration },
    { label: "Average visit", figure: ({ mean_length }) => mean_length, format: duration },
    { label: "Searches", figure: ({ searches }) => searches, format: whole },
    {
      label: "No results",
      figure: ({ empty_searches }) => empty_searches,
      format: whole,
      lowerIsBetter: true,
    },
    { label: "Conversion", figure: ({ conversion }) => conversion, format: percent },
  ];
  return (
    <section className="panel report-section" aria-labelledby="visits">
      <Heading id="visits" query={page.query} />
      <Tiles page={page} metrics={metrics} />
      <div className="report-pair">
        <Trend page={page} metrics={VISITS} />
        <div>
          <h3>From visit to order</h3>
          <Funnel figures={page.now} />
        </div>
      </div>
    </section>
  );
}

function SalesSection({ page }: { page: Props }) {
  const metrics: Metric[] = [
    REVENUE,
    { label: "Paid orders", figure: ({ orders }) => orders, format: whole },
    { label: "Average order", figure: ({ average_order }) => average_order, format: money },
    { label: "Units", figure: ({ units }) => units, format: whole },
    { label: "Merchandise", figure: ({ goods }) => goods, format: money },
    { label: "Discounts", figure: ({ discounts }) => discounts, format: money },
    { label: "Shipping", figure: ({ shipping }) => shipping, format: money },
    { label: "Tax", figure: ({ tax }) => tax, format: money },
    { label: "Refunded", figure: ({ refunded }) => refunded, format: money, lowerIsBetter: true },
    {
      label: "Lost disputes",
      figure: ({ lost_disputes }) => lost_disputes,
      format: money,
      lowerIsBetter: true,
    },
  ];
  return (
    <section className="panel report-section" aria-labelledby="sales">
      <Heading id="sales" query={page.query} />
      <Tiles page={page} metrics={metrics} />
      <Trend page={page} metrics={REVENUE} />
      <p className="report-note">
        Revenue is payments minus refunds and lost disputes, including tax and shipping. A paid
        order counts on the day it was placed, a refund on the day it was made, and a dispute on the
        day it was lost. Average order, merchandise, discounts, shipping, tax, and units are before
        refunds.
      </p>
    </section>
  );
}

const ACTIONS: Record<string, string> = { add: "Added", remove: "Removed", quantity: "Changed" };

function CartsSection({ page }: { page: Props }) {
  const metrics: Metric[] = [
    { label: "Carts", figure: ({ carts }) => carts, format: whole },
    ABANDONED,
    {
      label: "Abandonment rate",
      figure: ({ abandonment }) => abandonment,
      format: percent,
      lowerIsBetter: true,
    },
  ];
  const actions = page.carts.map(
    ({ name, events }) => `${ACTIONS[name] ?? name} ${countOf(events, "time")}`,
  );
  return (
    <section className="panel report-section" aria-labelledby="carts">
      <Heading id="carts" query={page.query} />
      <Tiles page={page} metrics={metrics} />
      <Trend page={page} metrics={ABANDONED} />
      <p className="report-note">
        {actions.length > 0 && `${actions.join(", ")}. `}A cart counts as abandoned if nothing is
        ordered within 24 hours, so carts from today and yesterday don’t count yet.
      </p>
    </section>
  );
}

function RankingSection({
  page,
  id,
  rows,
  valueLabel,
}: {
  page: Props;
  id: string;
  rows: Bar[];
  valueLabel: string;
}) {
  return (
    <section className="panel" aria-labelledby={id}>
      <Heading id={id} query={page.query} />
      <Ranking
        rows={rows}
        valueLabel={valueLabel}
        label={SECTIONS.find(([section]) => section === id)?.[1] ?? id}
      />
    </section>
  );
}

function soldBar({ name, href, units, amount, share }: SoldRow): Bar {
  const note = `${whole(units)} ${units === 1 ? "unit" : "units"}${share === null ? "" : `, ${percent(share)}`}`;
  return { name, href, value: amount, text: money(amount), note };
}

/** Without a link: anybody may have reported any name, such as `//shop.example`. */
function countBar({ name, events, visits }: CountRow): Bar {
  return { name, href: null, value: events, text: whole(events), note: visitsText(visits) };
}

/** Pages were checked when they were reported. `(other)` stands for the rest of a day. */
function pageBar(row: CountRow): Bar {
  return { ...countBar(row), href: row.name.startsWith("/") ? row.name : null };
}

function emptySearchBar({ name, empty, events }: CountRow): Bar {
  return { name, href: null, value: empty, text: whole(empty), note: `of ${whole(events)}` };
}

function visitsText(visits: number): string {
  return `in ${whole(visits)} ${visits === 1 ? "visit" : "visits"}`;
}
