// What visitors, buyers and staff ask for. A request is chosen by its weight.

import { randomInt, randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { call } from "./call.mjs";
import { signIn } from "./sign-in.mjs";

const PAGES = ["/", "/products", "/category/pipes", "/category/fire", "/category/house"];
const WORDS = [
  "humidor",
  "walnut",
  "briar",
  "lighter",
  "cutter",
  "tray",
  "brass",
  "pouch",
  "filter",
];
const WIDTHS = [160, 320, 480, 640, 960, 1280];
const FORMATS = ["avif", "webp"];
/** Pictures that are made before anything is measured. */
const MADE = 240;
const ADMIN_LISTS = [
  "/admin/overview",
  "/admin/orders",
  "/admin/orders?q=buyer",
  "/admin/products",
  "/admin/products?q=walnut",
  "/admin/users",
  "/admin/audit",
];
/** Staff must have signed in within the last 15 minutes for some of what they do. */
const SIGN_IN_EVERY = 600_000;
const IMPORT_EVERY = 30_000;
const IMPORTED = 20;
const CATEGORY = "storage-jars";
const PLENTY = 900_000;
const BOUGHT = ["TWT-SIN", "BCT", "WTA", "SPR"];

export class Traffic {
  #origin;
  #agent = new Agent({ keepAlive: true, maxSockets: 128 });
  #visitor = "";
  #shopper = "";
  #admin = "";
  #products = [];
  #made = [];
  #unmade = [];
  #picture = "";
  #bought = [];
  #signInAt = 0;
  #importAt = 0;
  #kinds = [
    [38, "kept page", () => this.#page(any([...PAGES, ...this.#products]), this.#visitor)],
    [10, "new page", () => this.#page(`/products?max_price=${randomInt(100, 1_000_000)}`)],
    [6, "search", () => this.#page(`/products?q=${any(WORDS)}`)],
    [5, "suggestions", () => this.#page(`/api/search/suggest?q=${any(WORDS).slice(0, 4)}`)],
    [13, "picture", () => this.#page(any(this.#made))],
    [1, "new picture", () => this.#page(this.#unmade.pop() ?? any(this.#made))],
    [6, "signed in", () => this.#page(any(["/account", "/cart", "/products"]), this.#shopper)],
    [5, "cart", () => this.#sync()],
    [4, "quote", () => this.#quote()],
    [4, "payment", () => this.#buy()],
    [3, "activity", () => this.#report()],
    [5, "admin list", () => this.#page(any(ADMIN_LISTS), this.#admin)],
  ];

  constructor(origin) {
    this.#origin = origin;
  }

  /** Signs in, learns what there is, and makes sure that it is not sold out within hours. */
  async prepare() {
    await this.#signIn();
    const sitemap = (await this.#ask("GET", "/sitemap.xml")).text;
    this.#products = [...sitemap.matchAll(/<loc>[^<]*(\/product\/[^<]+)<\/loc>/g)].map(
      ([, path]) => path,
    );
    const keys = new Set();
    for (const path of this.#products.slice(0, 60))
      for (const [, key] of (await this.#ask("GET", path)).text.matchAll(
        /\/images\/([0-9a-f]{20})-/g,
      ))
        keys.add(key);
    [this.#picture] = keys;
    const renditions = [...keys].flatMap((key) =>
      WIDTHS.flatMap((width) => FORMATS.map((format) => `/images/${key}-${width}.${format}`)),
    );
    this.#made = renditions.slice(0, MADE);
    this.#unmade = renditions.slice(MADE);
    for (const path of this.#made) await this.#ask("GET", path);
    for (const sku of BOUGHT) this.#bought.push(await this.#stockUp(sku));
  }

  /** The answer to the next request: its kind, its status and the expected one. */
  async next() {
    const now = Date.now();
    if (now >= this.#signInAt) {
      this.#signInAt = now + SIGN_IN_EVERY;
      await this.#signIn();
    }
    if (now >= this.#importAt) {
      this.#importAt = now + IMPORT_EVERY;
      return { kind: "import", ...(await this.#import()) };
    }
    const total = this.#kinds.reduce((sum, [weight]) => sum + weight, 0);
    let at = randomInt(total);
    const [, kind, ask] = this.#kinds.find(([weight]) => {
      at -= weight;
      return at < 0;
    });
    return { kind, ...(await ask()) };
  }

  /** MiB that the shop says its caches hold, and that the heaps of its isolates take. */
  async memory() {
    const { status, text } = await this.#ask("GET", "/api/admin/debug", { cookie: this.#admin });
    if (status !== 200) throw new Error(`the shop's memory: ${status} ${text.slice(0, 200)}`);
    const { caches, renderer } = JSON.parse(text);
    const mebibytes = (all) => all.reduce((total, bytes) => total + bytes, 0) / 2 ** 20;
    return {
      caches: mebibytes(caches.map(({ bytes }) => bytes)),
      heaps: mebibytes(renderer.isolates.map(({ heap_total }) => heap_total)),
    };
  }

  async #signIn() {
    this.#signInAt = Date.now() + SIGN_IN_EVERY;
    this.#visitor = await signIn(this.#origin, null);
    this.#shopper = await signIn(this.#origin, "shopper");
    this.#admin = await signIn(this.#origin, "super-admin");
  }

  async #page(path, cookie) {
    return answer(await this.#ask("GET", path, { cookie }), 200);
  }

  async #sync() {
    const item = { id: any(this.#bought), qty: randomInt(1, 4) };
    const body = { items: [item], base: [], promo_code: null };
    return answer(await this.#ask("POST", "/api/cart/sync", { cookie: this.#shopper, body }), 200);
  }

  #order() {
    const address = {
      first_name: "Ada",
      last_name: "Reed",
      line1: "12 High Street",
      city: "Columbus",
      state: "OH",
      postal_code: "43215",
    };
    return {
      checkout_id: randomUUID(),
      click_id: randomUUID(),
      items: [{ id: any(this.#bought), qty: 1 }],
      email: `buyer-${randomUUID()}@shop.example`,
      state: "OH",
      postal_code: "43215",
      address,
      shipping_method: "ground",
      payment_method: "square",
      source_id: "cnon:card-nonce-ok",
    };
  }

  async #quote(order = this.#order()) {
    const options = { cookie: this.#visitor, body: order };
    return answer(await this.#ask("POST", "/api/checkout/quote", options), 200);
  }

  /** A quote and a payment, from one of many networks: each may try a limited number of cards. */
  async #buy() {
    const order = this.#order();
    const quoted = await this.#quote(order);
    if (quoted.status !== 200) return quoted;
    const options = {
      cookie: this.#visitor,
      body: { ...order, expected_total: JSON.parse(quoted.detail).total },
      from: `127.${randomInt(1, 255)}.${randomInt(255)}.1`,
    };
    return answer(await this.#ask("POST", "/api/checkout/pay", options), 200);
  }

  async #report() {
    const body = { events: [{ type: "page_view", page: any(PAGES) }] };
    const from = `127.${randomInt(1, 255)}.${randomInt(255)}.1`;
    return answer(await this.#ask("POST", "/api/me/activity", { body, from }), 202);
  }

  /** The same products again and again, with other prices. */
  async #import() {
    const lines = Array.from(
      { length: IMPORTED },
      (_, at) =>
        `soak-${at},Number ${at} of many,SOAK-${at},100,${randomInt(5, 90)}.50,${this.#picture},active,${CATEGORY},general_merchandise`,
    );
    const columns =
      "Handle,Title,Variant SKU,Variant Grams,Variant Price,Image Src,Status,Category,Compliance Class";
    const options = { cookie: this.#admin, csv: [columns, ...lines, ""].join("\n") };
    const begun = await this.#ask("POST", "/api/admin/products/imports", options);
    if (begun.status !== 202) return answer(begun, 202);
    const path = `/api/admin/products/imports/${JSON.parse(begun.text).id}`;
    const admin = { cookie: this.#admin };
    let read = await this.#ask("GET", path, admin);
    while (read.status === 200 && JSON.parse(read.text).state === "reading") {
      await wait(50);
      read = await this.#ask("GET", path, admin);
    }
    if (read.status !== 200) return answer(read, 200);
    return answer(await this.#ask("POST", `${path}/apply`, { ...admin, body: null }), 202);
  }

  /** Counts the stock of a variant; returns its id. */
  async #stockUp(sku) {
    const cookie = this.#admin;
    const found = await this.#ask("GET", `/admin/products/_payload.json?q=${sku}`, { cookie });
    for (const [, id] of found.text.matchAll(/"id":"([0-9a-f-]{36})"/g)) {
      const product = await this.#ask("GET", `/api/admin/products/${id}`, { cookie });
      if (product.status !== 200) continue;
      const { content, stock } = JSON.parse(product.text);
      const at = content.variants.findIndex((each) => each.sku === sku);
      if (at < 0) continue;
      const { on_hand, to_hand_over } = stock[at];
      const body = {
        seen: on_hand,
        seen_to_hand_over: to_hand_over,
        counted: PLENTY,
        reason: "counted",
      };
      const variant = content.variants[at].id;
      const counted = await this.#ask("POST", `/api/admin/stock/${variant}`, { cookie, body });
      if (counted.status !== 200) throw new Error(`${sku}: ${counted.status} ${counted.text}`);
      return variant;
    }
    throw new Error(`${sku} was not found: ${found.status}`);
  }

  #ask(method, path, options = {}) {
    return call(this.#origin, method, path, { agent: this.#agent, ...options });
  }
}

function answer({ status, text }, expected) {
  return { status, expected, detail: status === expected ? text : text.slice(0, 200) };
}

function any(list) {
  return list[randomInt(list.length)];
}
