import { change, type Format } from "./words";

interface Props {
  label: string;
  now: number | null;
  /** Null if there is no earlier data. */
  before?: number | null;
  /** What it is compared with: `the previous 7 days`. */
  against?: string;
  format: Format;
  /** Text shown without a value. */
  none?: string;
  /** Lower values are better. */
  isBad?: boolean;
}

/** A figure and its change from the previous period. */
export function Tile({ label, now, before, against, format, none = "None yet", isBad }: Props) {
  return (
    <div className="tile">
      <dt>{label}</dt>
      <dd className="tile-now">{now === null ? none : format(now)}</dd>
      {against && (
        <dd className="tile-change">
          <Difference
            now={now}
            before={before ?? null}
            against={against}
            format={format}
            isBad={isBad ?? false}
          />
        </dd>
      )}
    </div>
  );
}

function Difference({
  now,
  before,
  against,
  format,
  isBad,
}: {
  now: number | null;
  before: number | null;
  against: string;
  format: Format;
  isBad: boolean;
}) {
  if (before === null) return "No earlier data";
  if (now === null) return `${format(before)} in ${against}`;
  const { direction, relative, absolute } = change(now, before, format);
  if (direction === "same") return `As in ${against}`;
  return (
    <>
      <b data-good={(direction === "up") !== isBad}>
        <span aria-hidden="true">{direction === "up" ? "▲" : "▼"}</span>
        {` ${relative ?? absolute}`}
      </b>
      {` ${relative ? `(${absolute}) ` : ""}vs. ${against}`}
    </>
  );
}
