import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { type Format, short } from "./format";

export interface ChartRow {
  label: string;
  /** The full label. */
  span: string;
  now: number | null;
  before: number | null;
}

export interface ChartProps {
  /** Such as `Revenue by day`. */
  title: string;
  rows: ChartRow[];
  /** Name of the bars. */
  now: string;
  /** Name of the dashed line for the previous period; null to omit the line. */
  before: string | null;
  format: Format;
}

/** The drawing of a chart, in the page's colors, so that it follows the color scheme. */
export default function Plot({ rows, now, before, format }: ChartProps) {
  const tick = { fill: "var(--soft)", fontSize: 12 };
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={rows}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid stroke="var(--line)" vertical={false} />
        <XAxis
          dataKey="label"
          tick={tick}
          tickLine={false}
          stroke="var(--line)"
          minTickGap={24}
          interval="preserveStartEnd"
        />
        <YAxis
          tick={tick}
          tickLine={false}
          axisLine={false}
          width="auto"
          allowDecimals={false}
          tickFormatter={short(format)}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: "var(--accent)", fillOpacity: 0.08 }}
          content={({ active, label, payload }) =>
            active && payload?.length ? (
              <div className="chart-tip">
                <b>{rows.find((row) => row.label === label)?.span ?? label}</b>
                {payload.map(({ name, value }) => (
                  <span key={String(name)}>
                    {`${String(name)}: ${typeof value === "number" ? format(value) : "–"}`}
                  </span>
                ))}
              </div>
            ) : null
          }
        />
        <Bar
          dataKey="now"
          name={now}
          fill="var(--accent)"
          fillOpacity={0.85}
          radius={[2, 2, 0, 0]}
          maxBarSize={36}
          isAnimationActive={false}
        />
        {before && (
          <Line
            dataKey="before"
            name={before}
            stroke="var(--soft)"
            strokeWidth={1.75}
            strokeDasharray="4 4"
            dot={false}
            activeDot={false}
            isAnimationActive={false}
          />
        )}
      </ComposedChart>
    </ResponsiveContainer>
  );
}
