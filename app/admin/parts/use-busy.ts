import { useState } from "react";

/** Whether an action is running, for `aria-disabled`, and a function that runs one. */
export function useBusy(): [busy: boolean, run: (action: () => Promise<unknown>) => void] {
  const [busy, setBusy] = useState(false);
  function run(action: () => Promise<unknown>): void {
    setBusy(true);
    void action().finally(() => setBusy(false));
  }
  return [busy, run];
}
