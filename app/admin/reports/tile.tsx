import { change, type Format } from "./format";

interface Props {
  label: string;
  now: number | null;
  /** Null if there is no earlier data. */
  before?: number | null;
  /** What it is compared with: `the previous 7 days`. */
  comparedWith?: string;
  format: Format;
  /** Text shown without a value. */
  none?: string;
  /** Lower values are better. */
  lowerIsBetter?: boolean;
}

/** A figure and its change from the previous period. */
export function Tile({
  label,
  now,
  before,
  comparedWith,
  format,
  none = "None yet",
  lowerIsBetter,
}: Props) {
  return (
    <div className="tile">
      <dt>{label}</dt>
      <dd className="tile-now">{now === null ? none : format(now)}</dd>
      {comparedWith && (
        <dd className="tile-change">
          <Difference
            now={now}
            before={before ?? null}
            comparedWith={comparedWith}
            format={format}
            lowerIsBetter={lowerIsBetter ?? false}
          />
        </dd>
      )}
    </div>
  );
}

function Difference({
  now,
  before,
  comparedWith,
  format,
  lowerIsBetter,
}: {
  now: number | null;
  before: number | null;
  comparedWith: string;
  format: Format;
  lowerIsBetter: boolean;
}) {
  if (before === null) return "No earlier data";
  if (now === null) return `${format(before)} in ${comparedWith}`;
  const { direction, relative, absolute } = change(now, before, format);
  if (direction === "same") return `As in ${comparedWith}`;
  return (
    <>
      <b data-good={(direction === "up") !== lowerIsBetter}>
        <span aria-hidden="true">{direction === "up" ? "▲" : "▼"}</span>
        {` ${relative ?? absolute}`}
      </b>
      {` ${relative ? `(${absolute}) ` : ""}vs. ${comparedWith}`}
    </>
  );
}
