// Loaded when the page is idle; earlier if the shopper pays, or if a payment is in progress.
import { ApiError, call, type RequestBody } from "../lib/api";
import { cartState, changeCart } from "../lib/cart";
import { setPromoCode } from "../lib/promo";
import { local, session } from "../lib/storage";
import { type Prepared, prepareOrder } from "./order";
import { type Bought, createPayFlow, type FirstCheckout, type PayHost } from "./payment-flow";

/** The server responds within 25 s, with `pending` if the outcome is not known by then. */
const PAY_MS = 40_000;

const host: PayHost = {
  storage: session,
  newId: () => crypto.randomUUID(),
  pay: (body) => call("/api/checkout/pay", { method: "POST", body, timeout: PAY_MS }),
  status: (checkout, query) => call(`/api/checkout/${checkout}${query}`),
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
  shared: local,
  now: () => Date.now(),
  isInCart: (variant) => cartState().items.some(({ id, saved }) => id === variant && !saved),
};

type NewAddress = Omit<RequestBody<"/api/me/addresses", "POST">, "is_default">;

export type Payment = ReturnType<typeof startFlow>;

/** With `fixed`, only the checkout with this id is used. A payment that is in progress goes on. */
export function startFlow(fixed: string | undefined, first: FirstCheckout) {
  const flow = createPayFlow(host, fixed, first);
  void flow.resume();
  return {
    ...flow,
    pay: (order: Prepared) => flow.pay(() => prepareOrder(order)),
    /** Once the order is placed, saves an address that is given, and removes from the cart what was bought. */
    async finish(
      address: NewAddress | null,
      { bought, href }: { bought: readonly Bought[]; href: string },
    ): Promise<void> {
      if (address) await saveToAccount(address);
      if (!fixed) removeBought(bought, href);
      flow.cartCleared();
    },
  };
}

/** The order is already placed, so a failure to save the address is only logged. */
async function saveToAccount(address: NewAddress): Promise<void> {
  const body = { ...address, is_default: false };
  await call("/api/me/addresses", { method: "POST", body, keepalive: true }).catch(
    (error: unknown) => console.warn("Address not saved:", error),
  );
}

const REMOVED_KEY = "shop.bought";
const isText = (value: unknown): value is string => typeof value === "string";

/**
 * Removes the bought quantities and the promo code from the cart, once for each order: several pages may do it, of the
 * checkout and of the email's link.
 */
export function removeBought(bought: readonly Bought[], href: string): void {
  // The server has done it for an account: the promo code, too, belongs to the next order.
  if (bought.length === 0) return;
  // Enough to tell the order by, but not its secret address.
  const mark = href.slice(-20);
  if (local.read(REMOVED_KEY, isText) === mark) return;
  local.write(REMOVED_KEY, mark);
  const remaining = (id: string, qty: number) =>
    qty - (bought.find((each) => each.id === id)?.qty ?? 0);
  changeCart((items) =>
    items
      .map((item) => (item.saved ? item : { ...item, qty: remaining(item.id, item.qty) }))
      .filter(({ qty }) => qty > 0),
  );
  setPromoCode(null);
}
