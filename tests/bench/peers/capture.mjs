// Asks the shop for what the peers are to show: envelopes, heads and their values of all pages, and documents to compare with.

import { strict as assert } from "node:assert";
import { get } from "./http.mjs";
import { MARKER, pages } from "./pages.mjs";

const OTHER = 123456;

/**
 * @returns `known`: what peers read; `cookies`: the visitors'; `documents`: of each page the kept document, and a function
 * from a number to the fresh one.
 */
export async function capture(origin) {
  const age = await verifyAge(origin);
  const session = await signIn(origin, age);
  const cookies = { guest: age, member: `${age}; ${session}` };
  const known = [];
  const documents = {};
  for (const page of pages) {
    const cookie = page.signedIn ? cookies.member : cookies.guest;
    const same = await read(origin, page.same, cookie);
    const at = (number) => read(origin, page.fresh.replace("@", number), cookie);
    const fresh = page.fresh ? await at(MARKER) : same;
    assert(!JSON.stringify(same.envelope).includes(MARKER), "the marker is part of a page");
    const { pathname, searchParams } = new URL(page.same, origin);
    known.push({
      name: page.name,
      path: pathname,
      query: searchParams.get("q"),
      signedIn: Boolean(page.signedIn),
      kept: shown(same),
      fresh: shown(fresh),
    });
    const documentOf = (number) => fresh.document.replaceAll(MARKER, number);
    if (page.fresh) {
      const other = await at(OTHER);
      assert.equal(documentOf(OTHER), other.document, "a number changes more than itself");
    }
    documents[page.name] = { kept: same.document, fresh: documentOf };
  }
  return { known: { marker: MARKER, pages: known }, cookies, documents };
}

const shown = ({ envelope, head, meta }) => ({ envelope, head, meta });

async function read(origin, path, cookie) {
  const document = await body(origin + path, cookie);
  const head = document.slice(0, document.indexOf("<body>"));
  const [, json] = /<script type="application\/json" id="page">(.*?)<\/script>/.exec(document);
  // The document says these values only in its head.
  const { meta } = JSON.parse(
    await body(origin + path.replace(/\?|$/, "/_payload.json$&"), cookie),
  );
  return { document, head, envelope: JSON.parse(json), meta };
}

async function body(url, cookie) {
  const answer = await get(url, { cookie });
  assert.equal(answer.status, 200, url);
  return answer.body.toString();
}

async function verifyAge(origin) {
  const response = await fetch(`${origin}/verify-age`, {
    method: "POST",
    redirect: "manual",
    headers: { origin },
    body: new URLSearchParams({ birth_date: "1980-01-01", return_to: "/" }),
  });
  return cookiesOf(response).find((cookie) => cookie.startsWith("age="));
}

/** Signs in as the demonstration's sample shopper and returns the session's cookie. */
async function signIn(origin, age) {
  const jar = new Map([["age", age.slice("age=".length)]]);
  let response = await follow(`${origin}/auth/login?return_to=/products`, {}, jar);
  const form = await response.text();
  const [, request] = /name="request" value="([^"]*)"/.exec(form);
  const [, account] = /name="account" value="([^"]*)"><b>Sample Shopper/.exec(form);
  response = await follow(
    new URL("/sign-in", response.url),
    {
      method: "POST",
      headers: { origin: new URL(response.url).origin },
      body: new URLSearchParams({ request: request.replaceAll("&amp;", "&"), account }),
    },
    jar,
  );
  assert.equal(response.status, 200);
  return `session=${jar.get("session")}`;
}

async function follow(address, options, jar) {
  let url = new URL(address);
  let init = options;
  for (;;) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...init.headers, cookie };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const each of cookiesOf(response)) {
      const at = each.indexOf("=");
      jar.set(each.slice(0, at), each.slice(at + 1));
    }
    const location = response.headers.get("location");
    if (!location) return response;
    url = new URL(location, url);
    init = {};
  }
}

function cookiesOf(response) {
  return response.headers.getSetCookie().map((line) => line.split(";")[0]);
}
