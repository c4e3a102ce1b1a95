import type { Figures, Part } from "../../lib/types";
import { day, type Format, span } from "./format";

export interface ChartRow {
  /** The first day, `2026-11-21`. */
  first: string;
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

/** One figure for each interval of a period. */
export function rowsOf(parts: Part[], figure: (figures: Figures) => number | null): ChartRow[] {
  return parts.map((part) => ({
    first: part.first,
    label: day(part.first),
    span: span(part.first, part.last),
    now: figure(part.now),
    before: part.before.is_known ? figure(part.before) : null,
  }));
}

/** The text of a figure, which may be unknown. */
export function valueText(value: number | null, format: Format): string {
  return value === null ? "–" : format(value);
}
