// Devices whose carts are synchronized with an account's, for tests of app/lib/cart-sync.ts.

import { ApiError } from "../../app/lib/api";
import { type CartItem, createCartStore, SYNC_KEY } from "../../app/lib/cart";
import { type LineState, lineStates } from "../../app/lib/cart-record";
import { createCartSync } from "../../app/lib/cart-sync";
import type { Cart, CartSync } from "../../app/lib/types";
import { cartLine as line, manualTimers, memoryStorage, settle } from "./support";

/** What is put into a cart. */
export const item = (id: string): Omit<CartItem, "qty"> => {
  const { qty: _, availability: __, ...rest } = line(id);
  return rest;
};

type Fault = "none" | "before" | "after";

/** The account's cart, merged as the server does (`server/domain/cart/model.rs`). */
export function account() {
  let items: LineState[] = [];
  let promo: string | null = null;
  let updated_at = 0;
  const told: Cart["changes"] = [];
  const find = (list: readonly LineState[], id: string) => list.find((each) => each.id === id);
  const like = (a: LineState | undefined, b: LineState | undefined) =>
    a?.qty === b?.qty && a?.saved === b?.saved;

  function merged(device: readonly LineState[], base: readonly LineState[] | null): LineState[] {
    const lines = [...items];
    for (const [at, line] of device.entries())
      if (!find(items, line.id))
        lines.splice(lines.findIndex(({ id }) => id === device[at - 1]?.id) + 1, 0, line);
    return lines.flatMap(({ id }) => {
      const [server, mine, before] = [find(items, id), find(device, id), find(base ?? [], id)];
      const join = () =>
        server && mine
          ? { id, qty: Math.max(server.qty, mine.qty), saved: server.saved && mine.saved }
          : (server ?? mine);
      let line: LineState | undefined;
      if (!base) line = join();
      else if (mine && before && like(mine, before)) line = server;
      else if (server && !mine && !before) line = server;
      else if (server && mine && !before) line = join();
      else line = mine;
      return line ? [line] : [];
    });
  }

  const cart = (): Cart => ({
    items: items.map(({ id, qty, saved }) => line(id, qty, saved)),
    updated_at,
    promo_code: promo,
    changes: [...told],
  });
  return {
    items: () => items,
    changes: told,
    get: cart,
    sync(body: CartSync): Cart {
      const device = body.items.map(({ id, qty, saved = false }) => ({ id, qty, saved }));
      items = merged(device, (body.base as LineState[] | null) ?? null);
      promo = body.promo_code ?? (body.base && !body.keeps_code ? null : promo);
      updated_at += 1;
      const answer = cart();
      // As the server, which stores what it tells only then.
      told.length = 0;
      return answer;
    },
  };
}

/** A browser with a cart, whose calls can fail before or after they have reached the server. */
export function device(
  server: ReturnType<typeof account>,
  user = "u1",
  memory = memoryStorage(),
  cookie?: () => string,
) {
  const timers = manualTimers();
  const cart = createCartStore(memory.storage, () => 1_000 + timers.now());
  const faults: Fault[] = [];
  const log: unknown[] = [];
  const notes: string[] = [];
  let calls = 0;
  let most = 0;
  let open = 0;
  let online = true;
  let promo: string | null = null;
  let gate: Promise<unknown> = Promise.resolve();
  let refusal = 0;

  async function reach(act: () => Cart): Promise<Cart> {
    calls += 1;
    open += 1;
    most = Math.max(most, open);
    try {
      await gate;
      const fault = faults.shift() ?? "none";
      if (refusal) throw new ApiError(refusal, null);
      if (!online || fault === "before") throw new ApiError(0, null);
      const answer = structuredClone(act());
      await settle();
      if (fault === "after") throw new ApiError(0, null);
      return answer;
    } finally {
      open -= 1;
    }
  }

  const sync = createCartSync({
    user,
    key: SYNC_KEY,
    ...(cookie && { cookie }),
    storage: memory.storage,
    timers,
    now: () => 1_000 + timers.now(),
    get: () => reach(server.get),
    push: (body) => reach(() => server.sync(structuredClone(body))),
    items: () => cart.snapshot().items,
    edit: cart.change,
    promo: () => promo,
    setPromo(code) {
      promo = code;
      sync.changed();
    },
    notify: (messages) => notes.push(...messages),
    exclusive: (work) => work(),
    failure: (error) => (error instanceof ApiError ? error : null),
    isOnline: () => online,
    log: (error) => log.push(error),
  });
  cart.subscribe(sync.changed);

  return {
    cart,
    sync,
    timers,
    faults,
    log,
    notes,
    memory,
    calls: () => calls,
    most: () => most,
    promo: () => promo,
    enter(code: string | null) {
      promo = code;
      sync.changed();
    },
    hold(until: Promise<unknown>) {
      gate = until;
    },
    connect(value: boolean) {
      online = value;
    },
    refuse(status: number) {
      refusal = status;
    },
    /** Waits for the delay and all responses. */
    async rest(ms = 1_000) {
      timers.advance(ms);
      for (let turn = 0; turn < 12; turn += 1) await settle();
    },
    /** The shopper returns to the page; waits until the sync is finished. */
    async look() {
      await this.rest(31_000);
      sync.returned();
      await this.rest();
    },
    has: () => quantities(lineStates(cart.snapshot().items)),
  };
}

/** Ids and quantities, sorted. */
export const quantities = (items: readonly LineState[]) =>
  items
    .map(({ id, qty, saved }) => `${id}:${qty}${saved ? " saved" : ""}`)
    .sort()
    .join(" ");
