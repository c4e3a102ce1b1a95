// How long a payment provider waits while it sends events at a rate, whether the earlier ones were answered or not. They are
// about the payments of the demonstration's history, so that the shop asks the provider for each of them, and one in five is
// sent twice. Ends with 1 if 99% of the events are not answered within 200 ms. That each is processed once is tested by
// tests/it/checkout/webhook_load.rs.
//
//   node tests/bench/webhooks.mjs [binary]
//
// On SQLite, and on PostgreSQL below tests/with-postgres.

import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Server } from "./peers/server.mjs";
import { Histogram } from "./soak/figures.mjs";

const binary = resolve(process.argv[2] ?? "target/release/shop");
const port = 8805;
const origin = `http://localhost:${port}`;
const provider = `http://127.0.0.1:${port + 2}`;
const RATE = 100;
const SECONDS = 60;
/** Milliseconds within which 99% are answered. */
const MOST = 200;
const postgres = process.env.TEST_POSTGRES;

console.log(`| ${RATE} events a second for ${SECONDS} s | p50 | p99 |\n|---|---|---|`);
await measure("SQLite", []);
if (postgres) await measure("PostgreSQL", ["--database", `${postgres}/postgres`]);

async function measure(name, database) {
  const data = mkdtempSync(join(tmpdir(), "shop-webhooks-"));
  const args = ["demo", "--port", String(port), "--data", data, ...database];
  const shop = new Server({ command: binary, args });
  try {
    while (!(await isReady())) {
      shop.assertRunning();
      await wait(100);
    }
    await shop.quiet();
    const times = new Histogram();
    const waiting = [];
    const payments = await listPayments();
    const began = performance.now();
    for (let sent = 0; sent < RATE * SECONDS; ) {
      for (const due = ((performance.now() - began) / 1000) * RATE; sent < due; sent++) {
        const body = event(payments[sent % payments.length]);
        waiting.push(send(body, times));
        if (sent % 5 === 0) waiting.push(send(body, new Histogram()));
      }
      await wait(2);
    }
    await Promise.all(waiting);
    const { p50, p99 } = times.summary();
    console.log(`| ${name} | ${p50.toFixed(1)} ms | ${p99.toFixed(1)} ms |`);
    if (p99 > MOST) {
      console.error(`${name}: 99% are answered within ${p99.toFixed(1)} ms, not ${MOST} ms`);
      process.exitCode = 1;
    }
  } finally {
    await shop.stop();
    rmSync(data, { recursive: true });
  }
}

async function isReady() {
  const answer = await fetch(`${origin}/readyz`).catch(() => null);
  await answer?.arrayBuffer();
  return answer?.status === 200;
}

async function listPayments() {
  const headers = { authorization: "Bearer stand-in-access-token" };
  const answer = await fetch(`${provider}/v2/payments?limit=100`, { headers });
  const { payments } = await answer.json();
  if (!payments?.length) throw new Error("the history has no payments");
  return payments;
}

function event(payment) {
  return JSON.stringify({
    merchant_id: "stand-in",
    type: "payment.updated",
    event_id: randomUUID(),
    created_at: new Date().toISOString(),
    data: { type: "payment", id: payment.id, object: { payment } },
  });
}

async function send(body, times) {
  const url = `${origin}/webhooks/square`;
  const signature = createHmac("sha256", "stand-in-webhook-key")
    .update(url + body)
    .digest("base64");
  const headers = {
    "content-type": "application/json",
    "x-square-hmacsha256-signature": signature,
  };
  const started = performance.now();
  const answer = await fetch(url, { method: "POST", headers, body });
  await answer.arrayBuffer();
  times.add(performance.now() - started);
  if (answer.status !== 200) throw new Error(`an event was answered with ${answer.status}`);
}
