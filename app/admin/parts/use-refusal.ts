import { type RefObject, useEffect, useRef } from "react";
import type { ApiError } from "../../lib/api";

/** A ref for a form. After each refusal its first wrong field gets the focus, or else its message comes into view. */
export function useRefusal<Form extends HTMLElement = HTMLFormElement>(
  error: ApiError | null,
): RefObject<Form | null> {
  const form = useRef<Form>(null);
  useEffect(() => {
    if (!error) return;
    const field = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (field) field.focus();
    else form.current?.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
  }, [error]);
  return form;
}
