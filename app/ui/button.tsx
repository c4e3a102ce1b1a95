import type { ComponentProps } from "react";
import { ripple } from "../lib/ripple";

type Props = ComponentProps<"button"> & { kind?: "primary" | "quiet" };

/** A button that answers a touch with ink. */
export function Button({ kind = "primary", type = "button", className = "", ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      className={`button button-${kind} ripple ${className}`}
      onPointerDown={ripple}
    />
  );
}
