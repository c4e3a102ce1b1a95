import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { loaded, UNREACHABLE } from "../lib/load";
import { navigate, refresh } from "../lib/navigation";
import { whenIdle } from "../lib/quiet";
import { useShared } from "../lib/shared";
import { session } from "../lib/storage";
import type { Address, CheckoutPage } from "../lib/types";
import { checkoutKey, isOpenTo } from "./checkout-key";
import { forgetForm } from "./form-state";
import type { Prepared } from "./order";
import type { Payment } from "./pay";
import type { FirstCheckout, PayState, Refusal } from "./payment-flow";

/** After so long the code that did not load is asked for again. */
const RETRY_MS = 5_000;

const never = () => () => {};

/** The payment of this page. An address that is given is saved once the order is placed, before the confirmation is shown. */
export function usePayment(
  page: CheckoutPage,
  addressToSave: (Address & { user_id: string }) | null,
) {
  const { draft } = page;
  const { age_verified, user } = useShared();
  const fixed = draft?.checkout_id;
  const [first] = useState(
    (): FirstCheckout => ({
      id: page.checkout_id,
      click: page.click_id,
      mailed: page.mailed ? page.quote : null,
      // Shown like the refusal of a call.
      refusal: page.refusal && {
        kind: "form",
        message: page.refusal.message,
        fields: Object.fromEntries(
          Object.entries(page.refusal.errors).map(([field, [first]]) => [field, first ?? ""]),
        ),
      },
      by: user?.sub,
    }),
  );
  // What the server rendered, until the code is loaded.
  const [initial, setInitial] = useState<PayState>(() =>
    first.mailed ? { step: "mailed" } : { step: "editing", refusal: first.refusal },
  );
  const [flow, setFlow] = useState<Payment | null>(null);
  const loading = useRef<Promise<Payment>>(null);
  const load = useCallback(() => {
    loading.current ??= loaded(import("./pay")).then(({ startFlow }) => {
      const flow = startFlow(fixed, first);
      setFlow(flow);
      return flow;
    });
    // The next call tries again.
    loading.current.catch(() => {
      loading.current = null;
    });
    return loading.current;
  }, [fixed, first]);

  // In a layout effect, so that the form is not shown while a payment is in progress.
  useLayoutEffect(() => {
    const stored = first.mailed
      ? null
      : session.read(checkoutKey(fixed), isOpenTo(first.by, Date.now()));
    const isUnderWay = stored?.bought || stored?.placed;
    if (isUnderWay) setInitial({ step: "checking", offline: !navigator.onLine });
    const start = () =>
      void load().catch(() => {
        // In the same document many browsers do not ask for it again. Another one loses nothing: the form waits, too.
        if (isUnderWay) setTimeout(navigator.onLine ? () => location.replace("") : start, RETRY_MS);
      });
    if (first.mailed || stored) start();
    else whenIdle(start);
  }, [first, fixed, load]);

  const before = () => initial;
  const state = useSyncExternalStore(flow?.subscribe ?? never, flow?.snapshot ?? before, before);
  // Only changes together with the state.
  const checkoutId = flow ? flow.checkoutId() : first.id;
  const address = useRef(addressToSave);
  useEffect(() => {
    address.current = addressToSave;
  });

  useEffect(() => {
    if (state.step !== "placed") return;
    flow?.finish(address.current, state).finally(() => {
      forgetForm(draft);
      // Replaces this page, so that Back does not lead to a paid checkout. The order's page ends the checkout: until it is
      // shown, a reload leads there.
      void navigate(state.href, { replace: true });
    });
  }, [state, draft, flow]);

  const refusal = state.step === "editing" ? state.refusal : null;
  useEffect(() => {
    if (refusal?.kind !== "age") return;
    if (age_verified) void refresh();
    // Now the gate says it, until the age is proven.
    else flow?.forgetRefusal();
  }, [refusal, age_verified, flow]);

  /** Places the order. */
  async function pay(order: Prepared): Promise<void> {
    // Until the code is loaded, the form must not change any more.
    setInitial({ step: "paying" });
    const flow = await load().catch(() => null);
    if (flow) await flow.pay(order);
    else {
      const refusal: Refusal = { kind: "form", message: UNREACHABLE, fields: {} };
      setInitial({ step: "editing", refusal });
    }
  }

  return { pay, edit: flow?.edit, state, refusal, checkoutId };
}
