import type { ReactNode } from "react";
import type { AnalyticsPage } from "../../lib/types";
import { useScrollToCurrent } from "../parts/scroll-to-current";

/** Selects the period: a GET form, so that it works without scripts. */
export function PeriodPicker({ page }: { page: AnalyticsPage }) {
  const { presets, from, to, by, compare, today, query } = page;
  return (
    <div className="period">
      <nav className="segments" aria-label="Periods" ref={useScrollToCurrent(query)}>
        {presets.map(({ link: { label, href }, is_current }) => (
          <a
            key={label}
            href={href}
            aria-current={is_current ? "page" : undefined}
            data-keep-position
          >
            {label}
          </a>
        ))}
      </nav>
      <form method="get" key={query} action="/admin/analytics" data-keep-position>
        <PeriodField name="from" label="From">
          <input {...day("from", from)} max={today} />
        </PeriodField>
        <PeriodField name="to" label="To">
          <input {...day("to", to)} max={today} />
        </PeriodField>
        <PeriodField name="by" label="By">
          <select id="report-by" name="by" className="input" defaultValue={by}>
            <option value="day">Day</option>
            <option value="week">Week</option>
            <option value="month">Month</option>
          </select>
        </PeriodField>
        <PeriodField name="compare" label="Compare">
          <select
            id="report-compare"
            name="compare"
            className="input"
            defaultValue={compare ? "yes" : "no"}
          >
            <option value="yes">To previous period</option>
            <option value="no">No comparison</option>
          </select>
        </PeriodField>
        <button type="submit" className="button button-quiet">
          Apply
        </button>
      </form>
    </div>
  );
}

const day = (name: string, value: string) => ({
  id: `report-${name}`,
  type: "date",
  name,
  className: "input",
  defaultValue: value,
  required: true,
});

function PeriodField({
  name,
  label,
  children,
}: {
  name: string;
  label: string;
  children: ReactNode;
}) {
  return (
    <div className="period-part">
      <label htmlFor={`report-${name}`}>{label}</label>
      {children}
    </div>
  );
}
