// From a click on Pay to an order, whatever happens to the connection in between.
import type { ApiError } from "../lib/api";
import { isRecord, type JsonStorage } from "../lib/storage";
import type { CheckoutStatus, PayRequest } from "../lib/types";

/** What a click sends, apart from the names of checkout and click. */
export type Order = Omit<PayRequest, "checkout_id" | "click_id">;

export interface Refusal {
  kind: "declined" | "changed" | "fields" | "age" | "form" | "lost";
  message: string;
  /** Messages by field. */
  fields: Record<string, string>;
}

export type PayState =
  | { step: "editing"; refusal: Refusal | null }
  | { step: "paying" }
  /** Nobody knows yet whether the payment went through. */
  | { step: "checking"; offline: boolean }
  /** A letter is on its way; the link in it places the order, in whatever browser it is opened. */
  | { step: "mailed" }
  | { step: "placed"; href: string; bought: Bought[] };

export interface Bought {
  id: string;
  qty: number;
}

export const CHECKOUT_KEY = "shop.checkout";

/** One checkout of this tab. While `bought` is there, a payment is on its way, or what it paid for is in the cart still. */
interface Checkout {
  id: string;
  click: string | null;
  bought: Bought[] | null;
  /** Where the order is shown, until the shopper is there: a reload on the way goes there. */
  placed?: string;
}

export interface PayHost {
  /** Session storage. */
  storage: JsonStorage;
  newId(): string;
  pay(body: PayRequest): Promise<CheckoutStatus>;
  status(checkout: string): Promise<CheckoutStatus>;
  /** What the server or the network said against it; null when it is neither. */
  failure(error: unknown): ApiError | null;
  /** Resolves after the time, or when the connection is back. */
  pause(ms: number): Promise<void>;
  isOnline(): boolean;
}

const POLL_MS = 2_000;
/** Somebody has to look into a mailbox first. */
const MAILED_POLL_MS = 10_000;
/** How often the same click is sent again when nothing of it has arrived. */
const MOST_RESENDS = 3;
/** Refusals after which another try is another order. */
const OVER = new Set(["checkout_over", "stock_lost", "too_many_attempts"]);

export type PayFlow = ReturnType<typeof createPayFlow>;

/** What the server's page begins with. */
export interface FirstCheckout {
  id: string;
  /** What a posted form has ordered, whose link is on its way. */
  mailed: Bought[] | null;
  /** Why a posted form has ordered nothing. */
  refusal: Refusal | null;
}

/**
 * One payment at a time; with `fixed`, in the checkout of this name and in no other. A click has a name, under which it is one payment however often it is sent; the flow sends it again only under
 * that name, and asks for the outcome when it does not know it.
 */
export function createPayFlow(host: PayHost, fixed?: string, first?: FirstCheckout) {
  const key = fixed ? `${CHECKOUT_KEY}.${fixed}` : CHECKOUT_KEY;
  const listeners = new Set<() => void>();
  let checkout: Checkout =
    (first?.mailed ? null : host.storage.read(key, isCheckout)) ??
    (first ? { id: first.id, click: null, bought: first.mailed } : renewed());
  let state: PayState = { step: "editing", refusal: first?.refusal ?? null };
  if (first?.mailed) state = { step: "mailed" };
  else if (checkout.placed)
    state = { step: "placed", href: checkout.placed, bought: checkout.bought ?? [] };
  else if (checkout.bought) state = { step: "checking", offline: !host.isOnline() };

  function show(next: PayState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function keep(next: Checkout): void {
    checkout = next;
    host.storage.write(key, next);
  }

  function renewed(): Checkout {
    return { id: fixed ?? host.newId(), click: null, bought: null };
  }

  /** Ends a try: the next click is another payment, unless nobody knows what became of this one. */
  function refuse(refusal: Refusal, next: "new click" | "same click" | "new checkout"): void {
    if (next === "new checkout") keep(renewed());
    else keep({ ...checkout, bought: null, click: next === "same click" ? checkout.click : null });
    show({ step: "editing", refusal });
  }

  function placed(answer: CheckoutStatus): void {
    const bought = checkout.bought ?? [];
    const href = answer.href ?? "/";
    keep({ ...renewed(), bought, placed: href });
    show({ step: "placed", href, bought });
  }

  /** True when the error says how it ended. */
  function ended(error: ApiError): boolean {
    const { status, problem, message } = error;
    const say = (kind: Refusal["kind"], fields: Refusal["fields"] = {}): Refusal => ({
      kind,
      message,
      fields,
    });
    if (status === 402) refuse(say("declined"), "new click");
    else if (status === 403) refuse(say("age"), "new click");
    else if (status === 422) refuse(say("fields", fieldsOf(error)), "new click");
    else if (status === 409) {
      refuse(say("changed"), OVER.has(problem?.code ?? "") ? "new checkout" : "new click");
    } else if (status >= 400 && status < 500 && status !== 404 && status !== 408) {
      refuse(say("form"), "new click");
    } else return false;
    return true;
  }

  /** What has an outcome, or waits for a link to be followed. */
  async function settle(answer: CheckoutStatus): Promise<void> {
    if (answer.status === "placed") placed(answer);
    else await awaitLink();
  }

  /** Asks now and then whether the link was followed, until the shopper goes back to the form. */
  async function awaitLink(): Promise<void> {
    const { click } = checkout;
    show({ step: "mailed" });
    for (;;) {
      await host.pause(MAILED_POLL_MS);
      if (checkout.click !== click) return;
      try {
        const answer = await host.status(checkout.id);
        if (checkout.click !== click) return;
        if (answer.status === "placed") return placed(answer);
        if (answer.status === "pending") return watch(null);
      } catch (error) {
        const failure = host.failure(error);
        if (!failure) throw error;
        if (checkout.click !== click) return;
        if (failure.status === 404) {
          return refuse({ kind: "form", message: NOT_CONFIRMED, fields: {} }, "new checkout");
        }
        if (failure.status === 409 && ended(failure)) return;
      }
    }
  }

  async function send(body: PayRequest): Promise<void> {
    try {
      const answer = await host.pay(body);
      if (answer.status === "pending") await watch(body);
      else await settle(answer);
    } catch (error) {
      const failure = host.failure(error);
      if (!failure) {
        refuse({ kind: "lost", message: UNKNOWN, fields: {} }, "same click");
        throw error;
      }
      if (!ended(failure)) await watch(body);
    }
  }

  /** Asks until it is known. `body` is there as long as the page that made it. */
  async function watch(body: PayRequest | null): Promise<void> {
    for (let resends = 0; ; ) {
      show({ step: "checking", offline: !host.isOnline() });
      try {
        const answer = await host.status(checkout.id);
        if (answer.status !== "pending") return settle(answer);
      } catch (error) {
        const failure = host.failure(error);
        if (!failure) throw error;
        const { status } = failure;
        if ((status === 404 || status === 402) && body && resends < MOST_RESENDS) {
          // Nothing has arrived, or it was an earlier card that was refused: the very same click tells.
          resends += 1;
          if (await resent(body)) return;
        } else if (status === 404) {
          return refuse({ kind: "lost", message: NOT_ARRIVED, fields: {} }, "same click");
        } else if ((status === 402 || status === 409) && ended(failure)) return;
      }
      await host.pause(POLL_MS);
    }
  }

  /** True when that settled it. */
  async function resent(body: PayRequest): Promise<boolean> {
    try {
      const answer = await host.pay(body);
      if (answer.status === "pending") return false;
      await settle(answer);
      return true;
    } catch (error) {
      const failure = host.failure(error);
      if (!failure) throw error;
      return ended(failure);
    }
  }

  /** `prepare` gives what to send, once the card form has given its token, or why it cannot. */
  async function pay(prepare: () => Promise<Order | Refusal>): Promise<void> {
    if (state.step !== "editing") return;
    show({ step: "paying" });
    const order = await prepare().catch((error: unknown) => {
      show({ step: "editing", refusal: null });
      throw error;
    });
    if ("kind" in order) return show({ step: "editing", refusal: order });
    const click = checkout.click ?? host.newId();
    const bought = order.items.map(({ id, qty }) => ({ id, qty }));
    // Kept before anything is sent: after a reload the page asks what became of it.
    keep({ ...checkout, click, bought });
    await send({ ...order, checkout_id: checkout.id, click_id: click });
  }

  return {
    snapshot: () => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Under which the server holds stock. */
    checkoutId: () => checkout.id,
    pay,
    /** From the note about the letter back to the form. The link stays good until the next click. */
    edit(): void {
      if (state.step !== "mailed") return;
      keep({ ...checkout, click: null, bought: null });
      show({ step: "editing", refusal: null });
    },
    /** What was bought has left the cart, which it must do once. */
    cartCleared(): void {
      keep({ ...checkout, bought: null });
    },
    /** The order is on the screen: what comes now is another one. */
    finish(): void {
      host.storage.remove(key);
    },
    /** Goes on with a payment that was on its way when the page was left. */
    async resume(): Promise<void> {
      if (state.step === "checking") await watch(null);
      else if (state.step === "mailed") await awaitLink();
    },
  };
}

const UNKNOWN =
  "Something went wrong on this page. Press the button again. You’ll only be charged once.";
const NOT_ARRIVED =
  "Your payment didn’t reach us, and nothing was charged. Check your connection and try again.";

const NOT_CONFIRMED =
  "Your order wasn’t confirmed in time, so it wasn’t placed. You can try again.";

function fieldsOf({ problem }: ApiError): Record<string, string> {
  const pairs = Object.entries(problem?.errors ?? {});
  return Object.fromEntries(pairs.map(([field, messages]) => [field, messages[0] ?? ""]));
}

function isCheckout(value: unknown): value is Checkout {
  return (
    isRecord(value) &&
    typeof value.id === "string" &&
    (value.click === null || typeof value.click === "string") &&
    (value.placed === undefined || typeof value.placed === "string") &&
    (value.bought === null || (Array.isArray(value.bought) && value.bought.every(isBought)))
  );
}

function isBought(value: unknown): value is Bought {
  return isRecord(value) && typeof value.id === "string" && Number.isSafeInteger(value.qty);
}
