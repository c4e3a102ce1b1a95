import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { ApiError, call } from "../lib/api";
import { changeCart } from "../lib/cart";
import { navigate, refresh } from "../lib/navigation";
import { setPromoCode } from "../lib/promo";
import { session } from "../lib/storage";
import type { CheckoutPage, CheckoutRefusal } from "../lib/types";
import { forgetForm } from "./form-state";
import {
  type Bought,
  createPayFlow,
  type FirstCheckout,
  type PayHost,
  type PayState,
  type Refusal,
} from "./payment-flow";

/** The server responds within 25 s, with `pending` if the outcome is not known by then. */
const PAY_MS = 40_000;

const host: PayHost = {
  storage: session,
  newId: () => crypto.randomUUID(),
  pay: (body) => call("/api/checkout/pay", { method: "POST", body, timeout: PAY_MS }),
  status: (checkout) => call(`/api/checkout/${checkout}`),
  failure: (error) => (error instanceof ApiError ? error : null),
  pause: (ms) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        removeEventListener("online", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      addEventListener("online", done);
    }),
  isOnline: () => navigator.onLine,
};

/** The payment of this page. `beforeLeaving` runs once the order is placed, before the confirmation is shown. */
export function usePayment(page: CheckoutPage, beforeLeaving: () => Promise<void>) {
  const { draft } = page;
  const [first] = useState(() => firstCheckoutOf(page));
  const [flow] = useState(() => createPayFlow(host, draft?.checkout_id, first));
  // During hydration the state must match what the server rendered.
  const [initialState] = useState<PayState>(() =>
    first.mailed ? { step: "mailed" } : { step: "editing", refusal: first.refusal },
  );
  const state = useSyncExternalStore(flow.subscribe, flow.snapshot, () => initialState);
  const checkoutId = useSyncExternalStore(flow.subscribe, flow.checkoutId, () => first.id);
  const onBeforeLeaving = useRef(beforeLeaving);
  useEffect(() => {
    onBeforeLeaving.current = beforeLeaving;
  });

  useEffect(() => void flow.resume(), [flow]);

  useEffect(() => {
    if (state.step !== "placed") return;
    const { href, bought } = state;
    onBeforeLeaving.current().finally(() => {
      if (!draft) {
        removeBought(bought);
        setPromoCode(null);
      }
      flow.cartCleared();
      forgetForm(draft);
      // Replaces this page, so that Back does not lead to a paid checkout.
      void navigate(href, { replace: true }).finally(flow.finish);
    });
  }, [state, draft, flow]);

  const needsAge = state.step === "editing" && state.refusal?.kind === "age";
  useEffect(() => {
    if (needsAge) void refresh();
  }, [needsAge]);

  return { flow, state, checkoutId };
}

function firstCheckoutOf({ checkout_id, mailed, refusal, quote }: CheckoutPage): FirstCheckout {
  return {
    id: checkout_id,
    mailed: mailed ? (quote?.lines.map(({ id, qty }) => ({ id, qty })) ?? []) : null,
    refusal: refusal && refusalOf(refusal),
  };
}

/** The same refusal that a call would have produced. */
function refusalOf({ message, errors }: CheckoutRefusal): Refusal {
  const fields = Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [field, messages[0] ?? ""]),
  );
  return { kind: Object.keys(fields).length > 0 ? "fields" : "form", message, fields };
}

/** Removes the bought quantities from the cart. */
function removeBought(bought: readonly Bought[]): void {
  const remaining = (id: string, qty: number) =>
    qty - (bought.find((each) => each.id === id)?.qty ?? 0);
  changeCart((items) =>
    items
      .map((item) => (item.saved ? item : { ...item, qty: remaining(item.id, item.qty) }))
      .filter(({ qty }) => qty > 0),
  );
}
