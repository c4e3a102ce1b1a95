import type { ComponentProps } from "react";
import { STATES } from "../lib/states";
import { Labeled } from "./field";

interface Props extends ComponentProps<"select"> {
  name: string;
  label: string;
  problem: string | undefined;
}

/** The `children` are the first options. */
export function StateField({ label, problem, children, ...select }: Props) {
  return (
    <Labeled label={label} problem={problem}>
      {(control) => (
        <select className="input" autoComplete="address-level1" {...select} {...control}>
          {children ?? <option value="">Choose</option>}
          {STATES.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labeled>
  );
}
