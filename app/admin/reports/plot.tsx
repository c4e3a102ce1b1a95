import { money, short } from "./format";
import { Readout } from "./readout";
import type { ChartProps, ChartRow } from "./rows";
import { dateStep, linePath, percentOf, ticksOf } from "./scale";

/** The smallest distance of two grid lines: a whole dollar. */
const DOLLAR = 100;

/** The drawing of a chart. All positions are percentages, so it fits any width without being measured. */
export function Plot(props: ChartProps) {
  const { rows, before, format } = props;
  const shown = rows.flatMap((row) => (before ? [row.now, row.before] : [row.now]));
  const ticks = ticksOf(
    shown.filter((value) => value !== null),
    format === money ? DOLLAR : 1,
  );
  return (
    <div className="chart-plot" style={{ "--intervals": rows.length } as object}>
      <div className="chart-values" aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick}>{short(format)(tick)}</span>
        ))}
      </div>
      <div className="chart-area">
        <Drawing rows={rows} ticks={ticks} hasLine={before !== null} />
        <Readout {...props} />
      </div>
      <Dates rows={rows} />
    </div>
  );
}

function Drawing({
  rows,
  ticks,
  hasLine,
}: {
  rows: ChartRow[];
  ticks: number[];
  hasLine: boolean;
}) {
  const bottom = ticks[0] ?? 0;
  const top = ticks.at(-1) ?? 0;
  const y = (value: number) => percentOf(top - value, top - bottom);
  const level = (value: number) => ({ x2: "100%", y1: `${y(value)}%`, y2: `${y(value)}%` });
  const beforeValues = rows.map((row) => row.before);
  return (
    <svg aria-hidden="true">
      {ticks.map((tick) => (
        <line key={tick} className="chart-grid" {...level(tick)} />
      ))}
      <g className="chart-bars">
        <Bars rows={rows} limit={top} from={0} to={y(0)} />
        <Bars rows={rows} limit={bottom} from={y(0)} to={100} />
      </g>
      <line className="chart-zero" {...level(0)} />
      {hasLine && (
        <svg viewBox={`0 0 ${rows.length} 100`} preserveAspectRatio="none" aria-hidden="true">
          <path className="chart-line" d={linePath(beforeValues, y)} />
        </svg>
      )}
    </svg>
  );
}

/**
 * The bars between zero and a limit above or below, which are at `from` and `to` percent of the height. They are longer than
 * their values: the box around them ends at zero and cuts them off there, so that only the outer ends are round.
 */
function Bars({
  rows,
  limit,
  from,
  to,
}: {
  rows: ChartRow[];
  limit: number;
  from: number;
  to: number;
}) {
  return (
    <svg y={`${from}%`} height={`${to - from}%`} aria-hidden="true">
      {rows.map(({ first, now }, index) => {
        if (now === null || now * limit <= 0) return null;
        const x = percentOf(index + 0.5, rows.length);
        const y = percentOf(limit > 0 ? limit - now : now - limit * 1.1, limit);
        return <rect key={first} x={`${x}%`} y={`${y}%`} height="110%" rx="2" />;
      })}
    </svg>
  );
}

/** Dates below the bars, counted from the last one, which is usually today. */
function Dates({ rows }: { rows: ChartRow[] }) {
  const step = dateStep(rows.length);
  return (
    <div className="chart-dates" aria-hidden="true">
      {rows.map(({ first, label }, index) => {
        const number = (rows.length - 1 - index) / step;
        if (!Number.isInteger(number)) return null;
        return (
          <span
            key={first}
            data-spare={number % 2 === 1 || undefined}
            style={{ "--at": `${percentOf(index + 0.5, rows.length)}%` } as object}
          >
            {label}
          </span>
        );
      })}
    </div>
  );
}
