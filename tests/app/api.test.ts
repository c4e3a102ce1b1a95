import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, type ApiHost, createApi, type RequestBody } from "../../app/lib/api";
import { calls } from "../../app/lib/early";
import { settle, silence } from "./support";

const PROBLEM = { detail: "No.", errors: { name: ["Enter your name."] } };

/** An API whose server responds with these statuses in turn; 0 means no response. */
function scripted(statuses: number[], host: Partial<ApiHost> = {}) {
  const requests: { url: string; init: RequestInit }[] = [];
  const pauses: number[] = [];
  const call = createApi({
    base: () => "",
    token: () => Promise.resolve(null),
    fetch(url, init) {
      requests.push({ url, init });
      const status = statuses[requests.length - 1] ?? 200;
      if (status === 0) return Promise.reject(new TypeError("offline"));
      const body = status === 204 ? null : JSON.stringify(status < 300 ? { status } : PROBLEM);
      return Promise.resolve(new Response(body, { status }));
    },
    pause(ms) {
      pauses.push(ms);
      return Promise.resolve();
    },
    ...host,
  });
  return { call, requests, pauses };
}

function headers(init: RequestInit | undefined): Record<string, string> {
  return init?.headers as Record<string, string>;
}

test("a call sends JSON with cookies, to this origin or the configured base", async () => {
  const here = scripted([]);
  assert.deepEqual(await here.call("/api/me", { method: "PATCH", body: { name: "Ada" } }), {
    status: 200,
  });
  const [sent] = here.requests;
  assert.equal(sent?.url, "/api/me");
  assert.equal(sent?.init.credentials, "include");
  assert.equal(sent?.init.body, '{"name":"Ada"}');
  assert.equal(headers(sent?.init)["content-type"], "application/json");
  assert.equal(headers(sent?.init).authorization, undefined);
  const there = scripted([], { base: () => "https://api.shop.example" });
  await there.call("/api/me/addresses/1", { method: "DELETE" });
  assert.equal(there.requests[0]?.url, "https://api.shop.example/api/me/addresses/1");
});

test("calls that need cookies of the page's own host go there, wherever the API is", async () => {
  const { call, requests } = scripted([], { base: () => "https://api.shop.example" });
  const cart = { items: [] };
  await call("/api/cart");
  await call("/api/cart/sync", { method: "POST", body: cart });
  await call("/api/cart/guest", { method: "POST", body: cart });
  await call("/api/checkout/quote", { method: "POST", body: cart });
  const payment = {} as RequestBody<"/api/checkout/pay", "POST">;
  await call("/api/checkout/pay", { method: "POST", body: payment });
  await call("/api/checkout/confirm", { method: "POST", body: { link: "x" } });
  await call("/api/checkout/c1?expected_total=1");
  await call("/api/me", { method: "DELETE", body: { confirm: "delete", user_id: null } });
  assert.equal(requests.length, 8);
  for (const { url } of requests) assert.ok(url.startsWith("/api/"), url);
});

test("a bearer token goes along when there is one, and its failure is only logged", async (context) => {
  const withToken = scripted([], { token: () => Promise.resolve("abc") });
  await withToken.call("/api/me");
  assert.equal(headers(withToken.requests[0]?.init).authorization, "Bearer abc");
  const logged = context.mock.method(console, "error", () => {});
  const broken = scripted([], { token: () => Promise.reject(new Error("no")) });
  await broken.call("/api/me");
  assert.equal(headers(broken.requests[0]?.init).authorization, undefined);
  assert.equal(logged.mock.callCount(), 1);
});

test("a call runs until it has its answer, also after retries and failures", async () => {
  const counts: number[] = [];
  const { call } = scripted([503, 200, 0], {
    async pause() {
      counts.push(calls.running);
    },
  });
  const answered = call("/api/me", { retry: 1 });
  assert.equal(calls.running, 1);
  await answered;
  assert.deepEqual([counts, calls.running], [[1], 0]);
  await assert.rejects(call("/api/me"), ApiError);
  assert.equal(calls.running, 0);
});

test("a call is given up after 10 s", async (context) => {
  const timeout = context.mock.method(AbortSignal, "timeout");
  await scripted([]).call("/api/me");
  assert.deepEqual(timeout.mock.calls[0]?.arguments, [10_000]);
});

test("a call with a signal ends with it, also in browsers without AbortSignal.any", async (context) => {
  const { any } = AbortSignal;
  const setAny = (value: unknown) =>
    Object.defineProperty(AbortSignal, "any", { value, configurable: true, writable: true });
  setAny(undefined);
  context.after(() => setAny(any));
  const abort = new AbortController();
  const { signal } = abort;
  const answered = scripted([]);
  assert.deepEqual(await answered.call("/api/me", { signal }), { status: 200 });
  const silent = scripted([], { fetch: silence }).call("/api/me", { signal });
  await settle();
  abort.abort();
  await assert.rejects(silent, { name: "AbortError" });
  // One that has ended before the call.
  await answered.call("/api/me", { signal });
  assert.equal(answered.requests[1]?.init.signal?.aborted, true);
});

test("nothing is tried again unless it is asked for", async () => {
  for (const status of [0, 408, 500]) {
    const { call, requests } = scripted([status]);
    await assert.rejects(call("/api/me"), ApiError);
    assert.equal(requests.length, 1);
  }
});

test("only answers that may pass are tried again", async () => {
  for (const status of [0, 408, 409, 425, 429, 500, 502, 503, 504]) {
    const { call, requests, pauses } = scripted([status, status, 200]);
    await call("/api/me", { retry: 2 });
    assert.equal(requests.length, 3, String(status));
    assert.equal(pauses.length, 2);
  }
  for (const status of [400, 401, 403, 404, 422, 501]) {
    const { call, requests } = scripted([status]);
    await assert.rejects(call("/api/me", { retry: 2 }), ApiError);
    assert.equal(requests.length, 1, String(status));
  }
});

test("a refusal carries what the server says about each field", async () => {
  const { call } = scripted([422]);
  await assert.rejects(call("/api/me"), (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status, 422);
    assert.equal(error.message, "No.");
    assert.equal(error.about("name"), "Enter your name.");
    assert.equal(error.about("phone"), undefined);
    return true;
  });
  assert.equal(await scripted([204]).call("/api/me"), undefined);
});

test("an answer that breaks off is a lost one", async () => {
  const { call } = scripted([], { fetch: () => Promise.resolve(new Response('{"status":')) });
  await assert.rejects(call("/api/me"), (error: unknown) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status, 0);
    return true;
  });
});
