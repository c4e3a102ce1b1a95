import { useSyncExternalStore } from "react";
import { PROMO_KEY } from "./cart";
import { local } from "./storage";

const listeners = new Set<() => void>();
const isCode = (value: unknown): value is string => typeof value === "string" && value.length <= 40;

/** A code that storage has not taken: like the cart, it lasts as long as the page then. */
let unstored: string | null = null;

export function promoCode(): string | null {
  return unstored ?? local.read(PROMO_KEY, isCode);
}

export function setPromoCode(code: string | null): void {
  const clean = code?.trim().toUpperCase() || null;
  if (clean === promoCode()) return;
  unstored = clean && !local.write(PROMO_KEY, clean) ? clean : null;
  if (!clean) local.remove(PROMO_KEY);
  for (const listener of listeners) listener();
}

export function watchPromoCode(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => key === PROMO_KEY && listener();
  listeners.add(listener);
  addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", onStorage);
  };
}

/** `known` is the code that the server rendered. */
export function usePromoCode(known: string | null = null): string | null {
  return useSyncExternalStore(watchPromoCode, promoCode, () => known);
}
