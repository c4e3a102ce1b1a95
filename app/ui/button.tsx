import type { ComponentProps } from "react";

/** The button of a page's primary action, with a ripple on touch. */
export function Button({ type = "button", ...rest }: ComponentProps<"button">) {
  return <button {...rest} type={type} className="button button-primary ripple" />;
}
