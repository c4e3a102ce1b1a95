import { createContext, useContext } from "react";
import type { Shared } from "./types";

/** The data that every page has; `App` provides it from the envelope. */
export const SharedContext = createContext<Shared | null>(null);

export function useShared(): Shared {
  const shared = useContext(SharedContext);
  if (!shared) throw new Error("useShared needs a SharedContext above it");
  return shared;
}
