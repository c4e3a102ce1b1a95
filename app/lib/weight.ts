/** Grams in an avoirdupois ounce, exactly. */
const OUNCE = 28.349523125;
const UNITS: Record<string, number> = { oz: OUNCE, lb: 16 * OUNCE, g: 1, kg: 1_000 };

/** `2.4 oz` or `1 lb 8 oz`: the shortest text with at most two decimal places that parses to the same grams. */
export function formatWeight(grams: number): string {
  const rounded = [1, 10, 100].map((places) => Math.round((grams * places) / OUNCE) / places);
  const all = rounded.find((ounces) => Math.round(ounces * OUNCE) === grams) ?? 0;
  const pounds = Math.floor(all / 16);
  const ounces = Math.round((all % 16) * 100) / 100;
  if (pounds === 0) return `${ounces} oz`;
  return ounces === 0 ? `${pounds} lb` : `${pounds} lb ${ounces} oz`;
}

/** A number and its unit. A comma between digits that does not separate thousands may be meant as a decimal point, as in `1,5`. */
const PART = /((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)\s*(?:(oz|lbs?|kg|g)(?:\s*,)?)?\s*/gy;

/** Whole grams of a typed weight: `12` (ounces), `12 oz`, `1 lb 4 oz`, `1 lb, 4 oz`, `2.5 lb`, `340 g`; -1 if it is not a weight. */
export function parseWeight(text: string): number {
  const typed = text.trim().toLowerCase();
  const parts = [...typed.matchAll(PART)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== typed) return -1;
  if (parts.length > 1 && parts.some(([, , unit]) => !unit)) return -1;
  const grams = parts.map(
    ([, number = "", unit = "oz"]) =>
      Number(number.replaceAll(",", "")) * (UNITS[unit.replace("lbs", "lb")] ?? 0),
  );
  return Math.round(grams.reduce((sum, each) => sum + each, 0));
}
