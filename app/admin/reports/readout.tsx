import { type PointerEvent, useState } from "react";
import { type ChartProps, valueText } from "./rows";
import { percentOf } from "./scale";

/**
 * The exact figures of one interval: the one under the pointer, or the one selected with the arrow keys of a slider, which
 * covers the chart and is what screen readers find in place of the drawing.
 */
export function Readout({ title, rows, now, before, format }: ChartProps) {
  const [selected, setSelected] = useState(Number.POSITIVE_INFINITY);
  // The last one until another is selected.
  const index = Math.min(selected, rows.length - 1);
  const row = rows[index];
  if (!row) return null;
  const nowText = valueText(row.now, format);
  const beforeText = valueText(row.before, format);
  const select = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setSelected(Math.max(0, Math.floor(((clientX - left) / width) * rows.length)));
  };
  return (
    <div
      className="chart-readout needs-scripts"
      onPointerDown={select}
      onPointerMove={select}
      style={{ "--at": `${percentOf(index + 0.5, rows.length)}%` } as object}
    >
      <input
        type="range"
        max={rows.length - 1}
        value={index}
        onChange={({ target }) => setSelected(target.valueAsNumber)}
        aria-label={title}
        aria-valuetext={`${row.span}: ${now} ${nowText}${before ? `, ${before} ${beforeText}` : ""}`}
      />
      <div className="chart-tip chart-key" aria-hidden="true">
        <b>{row.span}</b>
        <span data-key="now">{nowText}</span>
        {before && <span data-key="before">{beforeText}</span>}
      </div>
    </div>
  );
}
