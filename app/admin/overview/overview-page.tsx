import { useState } from "react";
import { call } from "../../lib/api";
import { formatTime } from "../../lib/format";
import type { Figures, OverviewPage as Props } from "../../lib/types";
import { AdminLayout } from "../layout";
import { PageHeader } from "../parts/page-header";
import { Chart } from "../reports/chart";
import { type Format, money, percent, whole } from "../reports/format";
import { Funnel } from "../reports/funnel";
import { LiveNote } from "../reports/live-note";
import { rowsOf } from "../reports/rows";
import { Tile } from "../reports/tile";
import { useLive } from "../reports/use-live";
import { AttentionPanel, LowStockPanel, NewestPanel } from "./panels";

const NAMES: Record<number, string> = { 1: "Today", 7: "7 days", 30: "30 days", 90: "90 days" };

export default function OverviewPage(initial: Props) {
  const [page, live] = useLive(
    (signal) => call(`/api/admin/overview?days=${initial.days}`, { signal }),
    initial,
  );
  const { days, periods, updated_at, now, before, chart, hands, low_stock, newest } = page;
  const comparedWith = days === 1 ? "all of yesterday" : `the previous ${days} days`;
  const tile = (label: string, figure: (figures: Figures) => number | null, format: Format) => (
    <Tile
      label={label}
      now={figure(now)}
      before={before.is_known ? figure(before) : null}
      comparedWith={comparedWith}
      format={format}
    />
  );
  return (
    <>
      <PageHeader title="Overview" note={<LiveNote live={live} updatedAt={updated_at} />}>
        <nav className="segments" aria-label="Period">
          {periods.map((each) => (
            <a
              key={each}
              href={`/admin/overview?days=${each}`}
              aria-current={each === days ? "page" : undefined}
              data-keep-position
            >
              {NAMES[each] ?? `${each} days`}
            </a>
          ))}
        </nav>
      </PageHeader>
      <dl className="tiles">
        {tile("Revenue", ({ revenue }) => revenue, money)}
        {tile("Paid orders", ({ orders }) => orders, whole)}
        {tile("Conversion", ({ conversion }) => conversion, percent)}
        {tile("Average order", ({ average_order }) => average_order, money)}
      </dl>
      <div className="report-grid">
        <Trend chart={chart} days={days} />
        <section className="panel">
          <h2>From visit to order</h2>
          <Funnel figures={now} />
          <p className="report-note">
            Visits exclude browsers that opt out of tracking. Revenue is payments minus refunds and
            lost disputes, including tax and shipping.
          </p>
        </section>
        <LowStockPanel stock={low_stock} />
        <AttentionPanel hands={hands} />
        <NewestPanel orders={newest} time={formatTime} />
      </div>
    </>
  );
}

OverviewPage.Layout = AdminLayout;

type Metric = [string, (figures: Figures) => number | null, Format];

const REVENUE: Metric = ["Revenue", ({ revenue }) => revenue, money];
const METRICS: Metric[] = [
  REVENUE,
  ["Orders", ({ orders }) => orders, whole],
  ["Visits", ({ visits }) => visits, whole],
];

function Trend({ chart, days }: Pick<Props, "chart" | "days">) {
  const [chosen, setChosen] = useState("Revenue");
  const [label, figure, format] = METRICS.find(([name]) => name === chosen) ?? REVENUE;
  return (
    <section className="panel report-wide">
      <div className="report-head">
        <h2>By day</h2>
        <fieldset className="segments needs-scripts">
          <legend className="visually-hidden">Metric</legend>
          {METRICS.map(([name]) => (
            <label key={name}>
              <input
                type="radio"
                name="measure"
                checked={name === chosen}
                onChange={() => setChosen(name)}
              />
              {name}
            </label>
          ))}
        </fieldset>
      </div>
      <Chart
        title={`${label} by day`}
        rows={rowsOf(chart, figure)}
        now={label}
        before={`Previous ${days < 7 ? 7 : days} days`}
        format={format}
      />
    </section>
  );
}
