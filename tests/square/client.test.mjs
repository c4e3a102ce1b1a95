// Square's own client with the stand-in at SQUARE_BASE_URL, and Square's own verification of webhook signatures.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { SquareClient, SquareError, WebhooksHelper } from "square";

const locationId = process.env.SQUARE_LOCATION_ID;
const client = new SquareClient({
  token: process.env.SQUARE_TOKEN,
  environment: process.env.SQUARE_BASE_URL,
  maxRetries: 0,
});

const money = (amount) => ({ amount: BigInt(amount), currency: "USD" });

async function create(request = {}) {
  const { payment } = await client.payments.create({
    sourceId: "cnon:card-nonce-ok",
    idempotencyKey: randomUUID(),
    amountMoney: money(4250),
    autocomplete: false,
    referenceId: "attempt-1",
    locationId,
    ...request,
  });
  return payment;
}

/** The errors of a call that must fail. */
async function refused(call) {
  const error = await call.then(
    () => assert.fail("it was not refused"),
    (error) => error,
  );
  assert.ok(error instanceof SquareError, String(error));
  return error.errors;
}

test("a payment is authorized, read and completed", async () => {
  const payment = await create();
  assert.equal(payment.status, "APPROVED");
  assert.equal(payment.amountMoney.amount, 4250n);
  assert.equal(payment.cardDetails.status, "AUTHORIZED");
  assert.equal(payment.cardDetails.card.last4, "1111");
  assert.equal(payment.delayDuration, "PT168H");
  const { payment: read } = await client.payments.get({ paymentId: payment.id });
  assert.deepEqual(read, payment);
  const { payment: taken } = await client.payments.complete({
    paymentId: payment.id,
    versionToken: payment.versionToken,
  });
  assert.equal(taken.status, "COMPLETED");
  assert.equal(taken.cardDetails.status, "CAPTURED");
  assert.ok(taken.receiptUrl);
  const [error] = await refused(client.payments.complete({ paymentId: payment.id }));
  assert.equal(error.category, "INVALID_REQUEST_ERROR");
});

test("the same key gives the same payment, with another request an error", async () => {
  const request = { idempotencyKey: randomUUID(), amountMoney: money(100) };
  const payment = await create(request);
  assert.deepEqual(await create(request), payment);
  const [error] = await refused(create({ ...request, amountMoney: money(101) }));
  assert.equal(error.code, "IDEMPOTENCY_KEY_REUSED");
});

test("a payment is canceled by its id and by its key", async () => {
  const payment = await create();
  const { payment: canceled } = await client.payments.cancel({ paymentId: payment.id });
  assert.equal(canceled.status, "CANCELED");
  assert.equal(canceled.cardDetails.status, "VOIDED");

  const idempotencyKey = randomUUID();
  const other = await create({ idempotencyKey });
  await client.payments.cancelByIdempotencyKey({ idempotencyKey });
  await client.payments.cancelByIdempotencyKey({ idempotencyKey: randomUUID() });
  const { payment: found } = await client.payments.get({ paymentId: other.id });
  assert.equal(found.status, "CANCELED");
});

test("a list goes through its pages", async () => {
  const made = [];
  for (let number = 0; number < 5; number++) {
    made.push((await create({ amountMoney: money(777) })).id);
  }
  const page = await client.payments.list({ locationId, total: 777n, limit: 2, sortOrder: "ASC" });
  const listed = [];
  for await (const payment of page) listed.push(payment.id);
  assert.deepEqual(listed.sort(), made.sort());
});

test("declines carry their codes", async () => {
  for (const [token, code] of [
    ["declined", "GENERIC_DECLINE"],
    ["rejected-cvv", "CVV_FAILURE"],
    ["rejected-postalcode", "ADDRESS_VERIFICATION_FAILURE"],
    ["rejected-expiration", "INVALID_EXPIRATION"],
  ]) {
    const [error] = await refused(create({ sourceId: `cnon:card-nonce-${token}` }));
    assert.equal(error.category, "PAYMENT_METHOD_ERROR");
    assert.equal(error.code, code);
  }
  const [used] = await refused(create({ sourceId: "cnon:card-nonce-already-used" }));
  assert.equal(used.code, "CARD_TOKEN_USED");
});

test("a completed payment is refunded in parts and no further", async () => {
  const payment = await create({ autocomplete: true, amountMoney: money(1000) });
  assert.equal(payment.status, "COMPLETED");
  const { refund } = await client.refunds.refundPayment({
    idempotencyKey: randomUUID(),
    paymentId: payment.id,
    amountMoney: money(400),
    reason: "Returned",
  });
  assert.equal(refund.status, "PENDING");
  const { refund: read } = await client.refunds.get({ refundId: refund.id });
  assert.equal(read.status, "COMPLETED");
  const listed = [];
  for await (const one of await client.refunds.list({ locationId })) listed.push(one.id);
  assert.ok(listed.includes(refund.id));
  const [error] = await refused(
    client.refunds.refundPayment({
      idempotencyKey: randomUUID(),
      paymentId: payment.id,
      amountMoney: money(601),
    }),
  );
  assert.equal(error.category, "REFUND_ERROR");
  const { payment: after } = await client.payments.get({ paymentId: payment.id });
  assert.equal(after.refundedMoney.amount, 400n);
});

test("what does not exist and who is not known are refused", async () => {
  const [missing] = await refused(client.payments.get({ paymentId: "nothing" }));
  assert.equal(missing.code, "NOT_FOUND");
  const stranger = new SquareClient({
    token: "another",
    environment: process.env.SQUARE_BASE_URL,
    maxRetries: 0,
  });
  const [error] = await refused(stranger.payments.get({ paymentId: "nothing" }));
  assert.equal(error.category, "AUTHENTICATION_ERROR");
});

test("the published signatures of webhooks pass Square's own check", async () => {
  for (const [signatureKey, notificationUrl, requestBody, signatureHeader] of [
    [
      "asdf1234",
      "https://example.com/webhook",
      '{"hello":"world"}',
      "2kRE5qRU2tR+tBGlDwMEw2avJ7QM4ikPYD/PJ3bd9Og=",
    ],
    [
      "signature-key",
      "https://webhook.site/webhooks",
      '{"data":{"type":"webhooks","id":"fake_id"}}',
      "W3FlCNk5IA3ZQ2LHTWoajvzfaDu/OwY2tNHIHC3IUOA=",
    ],
    [
      "signature-key",
      "https://webhook.site/webhooks",
      '{"data":{"type":"webhooks","id":">id<"}}',
      "Cxt7+aTi4rKgcA0bC4g9EHdVtLSDWdqccmL5MvihU4U=",
    ],
  ]) {
    const given = { requestBody, signatureHeader, signatureKey, notificationUrl };
    assert.ok(await WebhooksHelper.verifySignature(given));
    assert.ok(!(await WebhooksHelper.verifySignature({ ...given, signatureKey: "another" })));
  }
});
