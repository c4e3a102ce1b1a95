// Refuses pairs that are not alike: before a row is timed, its page has to be the shop's page.

import { strict as assert } from "node:assert";
import { get } from "./http.mjs";
import { browserHeaders, ENCODINGS, isKept, isPacked } from "./pages.mjs";
import { PORT } from "./peers.mjs";
import { visible } from "./visible.mjs";

/** For addresses that no one asked for yet: wrk takes smaller numbers. */
let number = 900_000;

/** The request of a row: its path, with @ for the number, and its headers. */
export function requestOf(peer, { page, mode }, cookies) {
  // What a peer rendered once is the same for all visitors.
  const kept = (page.signedIn ? undefined : peer.kept?.(page)) ?? page.same;
  return {
    path: isKept(mode) ? kept : page.fresh,
    headers: {
      ...(isPacked(mode) ? { ...browserHeaders, "accept-encoding": ENCODINGS } : {}),
      cookie: page.signedIn ? cookies.member : cookies.guest,
    },
  };
}

/** Throws unless the peer's answers are the shop's. Returns its encoding and size, and whether it is the same to the byte. */
export async function check(peer, row, { cookies, documents }) {
  const { path, headers } = requestOf(peer, row, cookies);
  const kept = isKept(row.mode);
  const expected = documents[row.page.name];
  let answer;
  let isIdentical;
  // Twice, because the second answer may come from a cache.
  for (let time = 0; time < 2; time++) {
    const before = number++;
    answer = await get(`http://127.0.0.1:${PORT}${path.replace("@", number)}`, headers);
    assert.equal(answer.status, 200, `status ${answer.status}`);
    const packed = answer.encoding !== "identity";
    assert.equal(packed, isPacked(row.mode), `the encoding is ${answer.encoding}`);
    const text = answer.body.toString();
    const shown = kept ? expected.kept : expected.fresh(number);
    assertSame(visible(text), visible(shown));
    isIdentical = text === shown;
    if (kept) continue;
    assert(!isFromCache(answer.headers), "the answer to a fresh address came from a cache");
    assert(!text.includes(before), "the answer contains the number of another address");
    // The number is in the page's data, too, where the shop has it there.
    assert(!shown.includes(number) || data(text).includes(number), "the data has no number");
  }
  return {
    encoding: answer.encoding,
    sent: answer.bytes,
    decoded: answer.body.length,
    isIdentical,
  };
}

function assertSame(lines, expected) {
  const at = expected.findIndex((line, index) => line !== lines[index]);
  if (at >= 0) throw new Error(`the page shows ${lines[at]} instead of ${expected[at]}`);
  assert.equal(lines.length, expected.length, `the page also shows ${lines[expected.length]}`);
}

function data(text) {
  return [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, script]) => script).join("");
}

function isFromCache(headers) {
  return (
    headers["server-timing"]?.includes("cache") ||
    ["x-nextjs-cache", "x-cache"].some((name) => /hit|stale/i.test(headers[name] ?? ""))
  );
}
