// From a click on Pay to an order, even if the connection fails in between.
import type { ApiError } from "../lib/api";
import { isRecord, type JsonStorage } from "../lib/storage";
import type { CheckoutStatus, PayRequest } from "../lib/types";
import { checkoutKey, isOpenTo } from "./checkout-key";

/** A payment request without the ids of checkout and click. */
export type Order = Omit<PayRequest, "checkout_id" | "click_id">;

export interface Refusal {
  /** `quote`: another quote ends it. */
  kind: "declined" | "changed" | "fields" | "age" | "form" | "lost" | "quote";
  message: string;
  /** Messages by field. */
  fields: Record<string, string>;
}

export type PayState =
  | { step: "editing"; refusal: Refusal | null }
  | { step: "paying" }
  /** It is unknown whether the payment went through. */
  | { step: "checking"; offline: boolean }
  /** An email was sent; opening its link, in any browser, leads to the order. */
  | { step: "mailed" }
  | { step: "placed"; href: string; bought: Bought[] };

export interface Bought {
  id: string;
  qty: number;
}

/**
 * The checkout of this tab. While `bought` is set, a payment is in progress or its items are still in the cart. It is stored with
 * whose it is and until when it counts.
 */
interface Checkout {
  id: string;
  click: string | null;
  bought: Bought[] | null;
  /** The total that was shown for it. */
  total?: number | null;
  /** Address of the order page, which removes the checkout when it is shown: a reload before that goes there. */
  placed?: string;
  /** What an account bought in another tab, or a while ago: out of its cart the server takes it, and nothing is removed here. */
  emptied?: boolean;
}

export interface PayHost {
  /** Session storage. */
  storage: JsonStorage;
  newId(): string;
  pay(body: PayRequest): Promise<CheckoutStatus>;
  /** `query` says what this tab has ordered. */
  status(checkout: string, query: string): Promise<CheckoutStatus>;
  /** The error of the server or network; null for any other error. */
  failure(error: unknown): ApiError | null;
  /** Resolves after the time, or earlier when the connection is back. */
  pause(ms: number): Promise<void>;
  isOnline(): boolean;
  /** Local storage. */
  shared: JsonStorage;
  /** Milliseconds since 1970. */
  now(): number;
  /** Whether this variant is in the cart, and not saved for later. */
  isInCart(variant: string): boolean;
}

/** Whose a stored payment is, and how long it counts. */
interface Owned {
  /** The id of the account that pays; empty for a guest. */
  by: string;
  /** Milliseconds since 1970. */
  until: number;
}

/** A payment by card that is under way, or of unknown outcome, for tabs that are opened after its own was closed. */
interface Paying extends Owned {
  checkout: Checkout;
}

/** Storage key of it, also in `cart/follow.ts` and `shell/background.ts`. */
const PAYING_KEY = "shop.paying";
const HOUR_MS = 60 * 60 * 1000;
/** How long it is looked for. Later the same goods may be in the cart anew, and an email has told of the order. */
const PAYING_MS = 24 * HOUR_MS;
/**
 * In an account's cart they may be sooner, since the server takes out of it what was bought: after this time other tabs do not look
 * for the payment, and its own takes nothing out.
 */
const EMPTIED_MS = HOUR_MS;

const POLL_MS = 2_000;
/** Slower, because the shopper has to open an email first. */
const MAILED_POLL_MS = 10_000;
/** How often the same click is sent again if the server has not received it. */
const MAX_RESENDS = 3;
/** Error codes after which the next attempt is a new checkout. */
const NEW_CHECKOUT_CODES = new Set(["checkout_over", "stock_lost", "too_many_attempts"]);

export type PayFlow = ReturnType<typeof createPayFlow>;

/** The checkout with which the server rendered the page. */
export interface FirstCheckout {
  id: string;
  click: string;
  /** The quote of an order that was posted without scripts and waits for the link in the email. */
  mailed: { lines: readonly Bought[]; total: number | null } | null;
  /** Why an order that was posted without scripts was refused. */
  refusal: Refusal | null;
  /** The id of the account that the page shows. */
  by: string | undefined;
}

/**
 * Runs one payment at a time. With `fixed`, only the checkout with this id is used. Each click on Pay has an idempotency
 * id: it is one payment however often it is sent. The flow resends a click only with its id, and polls while the outcome
 * is unknown. What a tab that was closed was paying for is found by the next one.
 */
export function createPayFlow(host: PayHost, fixed?: string, first?: FirstCheckout) {
  const key = checkoutKey(fixed);
  const listeners = new Set<() => void>();
  /** Whose checkout it is: the account's id, or empty for a guest. */
  let by = first?.by ?? "";
  /** Whether session storage has the checkout: not where it is forbidden or full, nor before that of another tab is stored. */
  let isStored = false;
  let checkout: Checkout =
    found() ??
    (first
      ? {
          id: first.id,
          click: first.mailed && first.click,
          bought: first.mailed && boughtOf(first.mailed.lines),
          total: first.mailed?.total ?? null,
        }
      : newCheckout());
  let state: PayState = { step: "editing", refusal: first?.refusal ?? null };
  if (first?.mailed) state = { step: "mailed" };
  else if (checkout.placed) state = { step: "placed", href: checkout.placed, bought: toRemove() };
  else if (checkout.bought) state = { step: "checking", offline: !host.isOnline() };
  // What an account's page has found elsewhere leaves this tab with a sign-out, too.
  if (by && checkout.bought && !isStored) store(checkout);

  function show(next: PayState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  /** What was begun before: in this tab, or in another one that pays. */
  function found(): Checkout | null {
    if (first?.mailed) return null;
    const isOpen = isOpenTo(by, host.now());
    const isOwn = (entry: unknown): entry is Checkout & Owned => isOpen(entry) && isCheckout(entry);
    const own = host.storage.read(key, isOwn);
    if (own?.by && own.until - host.now() <= PAYING_MS - EMPTIED_MS) own.emptied = true;
    const begun = own?.bought || own?.placed ? own : (underWay() ?? own);
    isStored = begun !== null && begun === own;
    return begun;
  }

  function isPaying(value: unknown): value is Paying {
    return isRecord(value) && isCheckout(value.checkout) && host.now() < Number(value.until);
  }

  /** What another tab pays for, or did when it was closed. A draft order is paid for only once anyway. */
  function underWay(): Checkout | null {
    const paying = fixed ? null : host.shared.read(PAYING_KEY, isPaying);
    const isOpen = isOpenTo(by, host.now());
    const other = paying && isOpen(paying) ? paying.checkout : null;
    // Without its goods in the cart, nobody is about to pay for them again.
    return other?.bought?.some(({ id }) => host.isInCart(id)) ? other : null;
  }

  /** What another tab than this one pays for, unless that is known to have ended without an order. */
  async function underWayElsewhere(): Promise<Checkout | null> {
    const other = underWay();
    if (!other || other.click === checkout.click) return null;
    try {
      await host.status(other.id, queryOf(other));
    } catch (error) {
      const status = host.failure(error)?.status;
      // With 404 its request may still be on its way.
      if (status === 402 || status === 409) {
        host.shared.remove(PAYING_KEY);
        return null;
      }
    }
    return other;
  }

  /** The outcome of this checkout, or of this click, is known: no other tab has to look for it. */
  function forget(name: "id" | "click"): void {
    if (host.shared.read(PAYING_KEY, isPaying)?.checkout[name] === checkout[name])
      host.shared.remove(PAYING_KEY);
  }

  function store(next: Checkout): void {
    checkout = next;
    isStored = host.storage.write(key, { ...next, by, until: host.now() + PAYING_MS });
  }

  /** What this browser takes out of its cart. */
  function toRemove(): Bought[] {
    return (checkout.emptied ? null : checkout.bought) ?? [];
  }

  function newCheckout(): Checkout {
    return { id: fixed ?? host.newId(), click: null, bought: null };
  }

  /** Ends an attempt. The next click is a new payment, unless the outcome of this one is unknown. */
  function refuse(refusal: Refusal, next: "new click" | "same click" | "new checkout"): void {
    if (next !== "same click") forget(next === "new click" ? "click" : "id");
    if (next === "new checkout") store(newCheckout());
    else store({ ...checkout, bought: null, click: next === "same click" ? checkout.click : null });
    show({ step: "editing", refusal });
  }

  function placed(answer: CheckoutStatus): void {
    // Meanwhile the account was signed out in another tab, and what led to the order was removed (`cart/follow.ts`).
    if (by && isStored && !host.storage.read(key, isRecord)) {
      checkout = newCheckout();
      show({ step: "editing", refusal: { kind: "form", message: SIGNED_OUT, fields: {} } });
      return;
    }
    const bought = toRemove();
    const href = answer.href ?? "/";
    store({ ...newCheckout(), bought, placed: href });
    show({ step: "placed", href, bought });
  }

  /** True if the error is a definite outcome; then it is shown. */
  function endedBy(error: ApiError): boolean {
    const { status, problem, message } = error;
    const refusal = (kind: Refusal["kind"], fields: Refusal["fields"] = {}): Refusal => ({
      kind,
      message,
      fields,
    });
    if (status === 402) refuse(refusal("declined"), "new click");
    else if (status === 403) refuse(refusal("age"), "new click");
    else if (status === 422) refuse(refusal("fields", fieldsOf(error)), "new click");
    else if (status === 409) {
      refuse(
        refusal("changed"),
        NEW_CHECKOUT_CODES.has(problem?.code ?? "") ? "new checkout" : "new click",
      );
    } else if (status >= 400 && status < 500 && status !== 404 && status !== 408) {
      refuse(refusal("form"), "new click");
    } else return false;
    return true;
  }

  /** The same for a click that the server has: other refusals come before it looks the click up. */
  const clickEndedBy = (error: ApiError): boolean =>
    (error.status === 402 || error.status === 409) && endedBy(error);

  /** Handles a response that is either placed or waiting for the link in the email. */
  async function settle(answer: CheckoutStatus): Promise<void> {
    forget("id");
    if (answer.status === "placed") placed(answer);
    else await pollLink();
  }

  const ask = () => host.status(checkout.id, queryOf(checkout));

  /** Polls until the link in the email was opened, or the shopper returns to the form. */
  async function pollLink(): Promise<void> {
    const { click } = checkout;
    show({ step: "mailed" });
    for (;;) {
      await host.pause(MAILED_POLL_MS);
      if (checkout.click !== click) return;
      try {
        const answer = await ask();
        if (checkout.click !== click) return;
        if (answer.status === "placed") return placed(answer);
        if (answer.status === "pending") return pollOutcome(null);
      } catch (error) {
        const failure = host.failure(error);
        if (!failure) throw error;
        if (checkout.click !== click) return;
        if (failure.status === 404) {
          return refuse({ kind: "form", message: NOT_CONFIRMED, fields: {} }, "new checkout");
        }
        if (failure.status === 402) {
          return refuse({ kind: "form", message: REPLACED, fields: {} }, "new click");
        }
        if (failure.status === 409 && endedBy(failure)) return;
      }
    }
  }

  async function send(body: PayRequest): Promise<void> {
    try {
      const answer = await host.pay(body);
      if (answer.status === "pending") await pollOutcome(body);
      else await settle(answer);
    } catch (error) {
      const failure = host.failure(error);
      if (!failure) {
        refuse({ kind: "lost", message: UNKNOWN, fields: {} }, "same click");
        throw error;
      }
      if (!endedBy(failure)) await pollOutcome(body);
    }
  }

  /** Polls until the outcome is known. `body` is null after a reload, when the request cannot be resent. */
  async function pollOutcome(body: PayRequest | null): Promise<void> {
    for (let resends = 0, pending = 0; ; ) {
      show({ step: "checking", offline: !host.isOnline() });
      try {
        const answer = await ask();
        if (answer.status !== "pending") return settle(answer);
        // The process that has the click may have been killed: sent again, it is taken over when it is 5 s old.
        if (body && ++pending === 3 && (await resend(body, clickEndedBy))) return;
      } catch (error) {
        const failure = host.failure(error);
        if (!failure) throw error;
        const { status } = failure;
        if ((status === 404 || status === 402) && body && resends < MAX_RESENDS) {
          // Either the request never arrived, or an earlier card was declined: resending the same click tells which.
          resends += 1;
          if (await resend(body, endedBy)) return;
        } else if (status === 404) {
          return refuse({ kind: "lost", message: NOT_ARRIVED, fields: {} }, "same click");
        } else if (clickEndedBy(failure)) return;
      }
      await host.pause(POLL_MS);
    }
  }

  /** True if the response settled the payment, or an error has `ended` it. */
  async function resend(body: PayRequest, ended: typeof endedBy): Promise<boolean> {
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

  /** `prepare` returns the order with the card's token, or the reason why it cannot be sent. */
  async function pay(prepare: () => Promise<Order | Refusal>): Promise<void> {
    if (state.step !== "editing") return;
    show({ step: "paying" });
    const order = await prepare().catch((error: unknown) => {
      show({ step: "editing", refusal: null });
      throw error;
    });
    if ("kind" in order) return show({ step: "editing", refusal: order });
    const click = checkout.click ?? host.newId();
    const bought = boughtOf(order.items);
    by = order.user_id ?? "";
    // In the checkout in which another tab pays already, the server makes no second payment for the same goods.
    const other = await underWayElsewhere();
    const id = other?.id ?? checkout.id;
    // Stored before anything is sent, so that a reloaded page can ask for the outcome.
    store({ id, click, bought, total: order.expected_total, emptied: other?.emptied ?? false });
    // With the token of a card, not for what is paid for in the store. The other tab's payment goes on being looked for.
    if (order.source_id && !fixed && !other) {
      const entry = { ...checkout, emptied: by !== "" };
      const until = host.now() + (by ? EMPTIED_MS : PAYING_MS);
      host.shared.write(PAYING_KEY, { checkout: entry, by, until });
    }
    await send({ ...order, checkout_id: id, click_id: click });
  }

  return {
    snapshot: () => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** The id under which the server reserves stock. */
    checkoutId: () => checkout.id,
    pay,
    /** Returns from the note about the email to the form. The link stays valid until the next click. */
    edit(): void {
      if (state.step !== "mailed") return;
      store({ ...checkout, click: null, bought: null });
      show({ step: "editing", refusal: null });
    },
    /** The reason of the refusal is gone, or told elsewhere. */
    forgetRefusal(): void {
      if (state.step === "editing") show({ step: "editing", refusal: null });
    },
    /** The bought items were removed from the cart, which must happen only once. */
    cartCleared(): void {
      store({ ...checkout, bought: null });
    },
    /** Continues a payment that was in progress when the page was left. */
    async resume(): Promise<void> {
      if (state.step === "checking") await pollOutcome(null);
      else if (state.step === "mailed") await pollLink();
    },
  };
}

/** Only what is stored of the items. */
const boughtOf = (items: readonly Bought[]): Bought[] => items.map(({ id, qty }) => ({ id, qty }));

/** Another tab may have ordered another cart in the same checkout. Former releases stored no total. */
const queryOf = ({ click, bought, total }: Checkout): string =>
  bought && total != null
    ? `?click_id=${click}&expected_total=${total}&items=${bought.map(({ id, qty }) => `${id}:${qty}`)}`
    : "";

const UNKNOWN =
  "Something went wrong on this page. Press the button again. You’ll only be charged once.";
const NOT_ARRIVED =
  "Your payment didn’t reach us, and nothing was charged. Check your connection and try again.";

const NOT_CONFIRMED =
  "Your order wasn’t confirmed in time, so it wasn’t placed. You can try again.";

const SIGNED_OUT =
  "You were signed out. If your order was placed, we’ve sent you an email about it.";

const REPLACED =
  "You went on with this order on another page, so the link in our email no longer works.";

function fieldsOf({ problem }: ApiError): Record<string, string> {
  const pairs = Object.entries(problem?.errors ?? {});
  return Object.fromEntries(pairs.map(([field, messages]) => [field, messages[0] ?? ""]));
}

function isCheckout(value: unknown): value is Checkout {
  return (
    isRecord(value) &&
    typeof value.id === "string" &&
    (value.click === null || typeof value.click === "string") &&
    (value.total == null || Number.isSafeInteger(value.total)) &&
    (value.placed === undefined || typeof value.placed === "string") &&
    (value.emptied === undefined || typeof value.emptied === "boolean") &&
    (value.bought === null || (Array.isArray(value.bought) && value.bought.every(isBought)))
  );
}

function isBought(value: unknown): value is Bought {
  return isRecord(value) && typeof value.id === "string" && Number.isSafeInteger(value.qty);
}
