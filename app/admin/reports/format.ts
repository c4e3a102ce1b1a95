import { dollars } from "../parts/cents";
import { count } from "../parts/list";

/** Formats a figure. */
export type Format = (value: number) => string;

/** `$1,234.50` from cents. */
export const money: Format = dollars;

/** `1,234` */
export const whole: Format = (value) => (value < 0 ? `-${count(-value)}` : count(value));

/** `12.34%` from hundredths of a percent. */
export const percent: Format = (value) => `${trimmed(value / 100, 2)}%`;

/** `3 min 20 s` */
export const duration: Format = (seconds) => {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
};

/** `$1.2k`, for the axis of a chart. */
export function short(format: Format): Format {
  return (value) => {
    const size = Math.abs(value);
    return `${value < 0 ? "-" : ""}${shortened(size, format)}`;
  };
}

function shortened(value: number, format: Format): string {
  const thousands = (all: number) =>
    all < 10_000 ? whole(Math.round(all)) : `${trimmed(all / 1_000, 1)}k`;
  if (format === money) return `$${thousands(value / 100)}`;
  if (format === percent) return `${trimmed(value / 100, 1)}%`;
  if (format === duration) return value < 60 ? `${value} s` : `${trimmed(value / 60, 1)} min`;
  return thousands(value);
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}

export interface Change {
  direction: "up" | "down" | "same";
  /** `+12.3%`; null if the earlier figure was not positive. */
  relative: string | null;
  /** `+$120.00` */
  absolute: string;
}

/** The change of a figure from an earlier one. */
export function change(now: number, before: number, format: Format): Change {
  const difference = now - before;
  const sign = difference > 0 ? "+" : "";
  // The difference of two rates is in percentage points.
  const absolute =
    format === percent
      ? `${sign}${trimmed(difference / 100, 2)} points`
      : `${sign}${difference < 0 ? "-" : ""}${format(Math.abs(difference))}`;
  return {
    direction: difference > 0 ? "up" : difference < 0 ? "down" : "same",
    relative: before > 0 ? `${sign}${trimmed((difference / before) * 100, 1)}%` : null,
    absolute,
  };
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const DAYS = "Sun Mon Tue Wed Thu Fri Sat".split(" ");

/** `Nov 21` from `2026-11-21`. */
export function day(date: string): string {
  const [, month, number] = date.split("-").map(Number);
  return `${MONTHS[(month ?? 1) - 1]} ${number}`;
}

/** `Sat, Nov 21, 2026` for a single day, otherwise `Nov 16 to Nov 22, 2026` or `Dec 28, 2026 to Jan 3, 2027`. */
export function span(first: string, last: string): string {
  const [from, to] = [first, last].map((date) => date.slice(0, 4));
  const end = `${day(last)}, ${to}`;
  if (first === last) return `${DAYS[new Date(`${first}T00:00:00Z`).getUTCDay()]}, ${end}`;
  return `${day(first)}${from === to ? "" : `, ${from}`} to ${end}`;
}
