const MOST_STEPS = 5;
const MOST_DATES = 8;

/**
 * The values with a grid line, in ascending order: zero and multiples of 1, 2, 5, 10, 20 … units, around all of the values.
 * The values span five steps at most, and rounding both ends may add one.
 */
export function ticksOf(values: number[], unit: number): number[] {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  let step = unit;
  for (let turn = 0; (most - least) / step > MOST_STEPS; turn += 1)
    step *= turn % 3 === 1 ? 2.5 : 2;
  const first = Math.floor(least / step);
  // At least one step, so that nothing divides by the height of an empty range.
  const last = Math.max(Math.ceil(most / step), first + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Rounded, so that the same drawing takes fewer bytes. */
export function percentOf(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 100;
}

/**
 * A line through the middle of each interval, as an SVG path: an interval is 1 wide, and `y` is the position of a value.
 * Unknown values are gaps; a value between two gaps is a short horizontal line.
 */
export function linePath(values: (number | null)[], y: (value: number) => number): string {
  const isKnown = (index: number) => typeof values[index] === "number";
  return values
    .map((value, index) => {
      if (value === null) return "";
      if (isKnown(index - 1)) return `L${index + 0.5} ${y(value)}`;
      return isKnown(index + 1)
        ? `M${index + 0.5} ${y(value)}`
        : `M${index + 0.25} ${y(value)}h0.5`;
    })
    .join("");
}

/** The intervals between two dates on the axis: a power of two, so that on a narrow chart every other date can be hidden. */
export function dateStep(intervals: number): number {
  let step = 1;
  while (intervals / step > MOST_DATES) step *= 2;
  return step;
}
