import { useState } from "react";

/**
 * The version of what a form's input is based on, and a function that moves it to the latest one. A refresh of the page, such
 * as after signing in again, moves it only if the content is still the same: otherwise the form has old input, and saving it
 * must be refused as an edit conflict.
 */
export function useBaseVersion(version: number, content: unknown): [number, () => void] {
  const latest = { version, content: JSON.stringify(content) };
  const [base, setBase] = useState<typeof latest | null>(latest);
  if (base === null || (base.version !== version && base.content === latest.content)) {
    setBase(latest);
  }
  return [base?.version ?? version, () => setBase(null)];
}
