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
import { isRecord, session } from "../lib/storage";
import type { Address, CheckoutPage, CheckoutRefusal } from "../lib/types";
import { checkoutKey } from "./checkout-key";
import { forgetForm } from "./form-state";
import type { Prepared } from "./order";
import type { FirstCheckout, PayFlow, PayState, Refusal } from "./payment-flow";

type Code = typeof import("./pay") & { flow: PayFlow };

/** After so long the code that did not load is asked for again. */
const RETRY_MS = 5_000;

const never = () => () => {};

/** The payment of this page. An address that is given is saved once the order is placed, before the confirmation is shown. */
export function usePayment(
  page: CheckoutPage,
  addressToSave: (Address & { user_id: string }) | null,
) {
  const { draft } = page;
  const { age_verified } = useShared();
  const fixed = draft?.checkout_id;
  const [first] = useState(() => firstCheckoutOf(page));
  // What the server rendered, until the code is loaded.
  const [initial, setInitial] = useState<PayState>(() =>
    first.mailed ? { step: "mailed" } : { step: "editing", refusal: first.refusal },
  );
  const [code, setCode] = useState<Code | null>(null);
  const loading = useRef<Promise<Code>>(null);
  const load = useCallback(() => {
    loading.current ??= loaded(import("./pay")).then((pay) => {
      const code = { ...pay, flow: pay.startFlow(fixed, first) };
      setCode(code);
      void code.flow.resume();
      return code;
    });
    // The next call tries again.
    loading.current.catch(() => {
      loading.current = null;
    });
    return loading.current;
  }, [fixed, first]);

  // In a layout effect, so that the form is not shown while a payment is in progress.
  useLayoutEffect(() => {
    const stored = first.mailed ? null : session.read(checkoutKey(fixed), isRecord);
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

  const flow = code?.flow;
  const state = useSyncExternalStore(
    flow?.subscribe ?? never,
    flow?.snapshot ?? (() => initial),
    () => initial,
  );
  // Only changes together with the state.
  const checkoutId = flow ? flow.checkoutId() : first.id;
  const address = useRef(addressToSave);
  useEffect(() => {
    address.current = addressToSave;
  });

  useEffect(() => {
    if (!code || state.step !== "placed") return;
    const { flow, removeBought, saveToAccount } = code;
    const { href, bought } = state;
    const saved = address.current ? saveToAccount(address.current) : Promise.resolve();
    saved.finally(() => {
      if (!draft) removeBought(bought, href);
      flow.cartCleared();
      forgetForm(draft);
      // Replaces this page, so that Back does not lead to a paid checkout. The order's page ends the checkout: until it is
      // shown, a reload leads there.
      void navigate(href, { replace: true });
    });
  }, [state, draft, code]);

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
    const code = await load().catch(() => null);
    if (code) await code.flow.pay(() => code.prepareOrder(order));
    else
      setInitial({ step: "editing", refusal: { kind: "form", message: UNREACHABLE, fields: {} } });
  }

  return { pay, edit: flow?.edit, state, refusal, checkoutId };
}

function firstCheckoutOf(page: CheckoutPage): FirstCheckout {
  const { checkout_id, click_id, mailed, refusal, quote } = page;
  return {
    id: checkout_id,
    click: click_id,
    mailed: mailed ? quote : null,
    refusal: refusal && refusalOf(refusal),
  };
}

/** Shown like the refusal of a call. */
function refusalOf({ message, errors }: CheckoutRefusal): Refusal {
  const fields = Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [field, messages[0] ?? ""]),
  );
  return { kind: "form", message, fields };
}
