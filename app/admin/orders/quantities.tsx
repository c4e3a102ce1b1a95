import type { AdminLine } from "../../lib/types";

/** Quantities by line id. */
export type Chosen = Record<string, number>;

interface Props {
  legend: string;
  lines: AdminLine[];
  /** Maximum quantity of a line. */
  maximum: (line: AdminLine) => number;
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
  /** Text beside a line, such as its amount. */
  amountOf?: (line: AdminLine, quantity: number) => string;
  problem: string | undefined;
}

/** Selects quantities of an order's lines. */
export function Quantities({ legend, lines, maximum, chosen, onChange, amountOf, problem }: Props) {
  // What was chosen before somebody else shipped or canceled it stays visible, so that it can be taken back.
  const available = lines.filter((line) => maximum(line) > 0 || (chosen[line.id] ?? 0) > 0);
  const id = `problem-${legend.replaceAll(" ", "-")}`;
  return (
    <fieldset className="order-choice" aria-describedby={problem ? id : undefined}>
      <legend className="label">{legend}</legend>
      {available.map((line) => {
        const quantity = chosen[line.id] ?? 0;
        return (
          <label key={line.id}>
            <span>
              {line.title}
              <small>{[line.variant, line.sku].filter(Boolean).join(", ")}</small>
            </span>
            <span className="order-choice-worth">{amountOf?.(line, quantity)}</span>
            <input
              className="input"
              type="number"
              inputMode="numeric"
              min={0}
              max={maximum(line)}
              value={quantity}
              aria-label={`Quantity of ${[line.title, line.variant].filter(Boolean).join(", ")}`}
              onChange={({ target }) =>
                onChange({ ...chosen, [line.id]: Math.max(0, Math.floor(Number(target.value))) })
              }
            />
            <span className="order-choice-most">{`of ${maximum(line)}`}</span>
          </label>
        );
      })}
      {problem && (
        <p id={id} className="field-error" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

/** The lines as the API takes them. */
export function linesOf(chosen: Chosen): { line_id: string; quantity: number }[] {
  return Object.entries(chosen)
    .filter(([, quantity]) => quantity > 0)
    .map(([line_id, quantity]) => ({ line_id, quantity }));
}

/** Also those of which nothing is chosen: a cancellation that names no line cancels all of them. */
export function allLinesOf(chosen: Chosen): { line_id: string; quantity: number }[] {
  return Object.entries(chosen).map(([line_id, quantity]) => ({ line_id, quantity }));
}

export function maximumOf(lines: AdminLine[], maximum: (line: AdminLine) => number): Chosen {
  return Object.fromEntries(lines.map((line) => [line.id, maximum(line)]));
}
