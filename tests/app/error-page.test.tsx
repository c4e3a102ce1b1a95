import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import ErrorPage from "../../app/errors/error-page";
import { SharedContext } from "../../app/lib/shared";
import type { Shared } from "../../app/lib/types";

const shared = {
  menu: { items: [] },
  company: { email: "shop@shop.example" },
} as unknown as Shared;

const shown = (props: Parameters<typeof ErrorPage>[0], user: Shared["user"] = null) =>
  renderToStaticMarkup(
    <SharedContext value={{ ...shared, user }}>
      <ErrorPage {...props} />
    </SharedContext>,
  );

test("without a status it is the server's error, and each status has its message", () => {
  assert.match(shown({}), />500<.*>Internal Server Error</);
  assert.match(shown({ status: 404 }), />404<.*>Page Not Found</);
  assert.match(shown({ status: 503 }), />503<.*>Internal Server Error</);
  assert.match(shown({ status: 404, message: "Page not found: /x?y" }), />Page not found: \/x\?y</);
});

test("an error of the server names its request", () => {
  assert.match(
    shown({ status: 500, request_id: "0193-abc" }),
    /and mention <code>0193-abc<\/code>\./,
  );
  assert.doesNotMatch(shown({ status: 500 }), /mention/);
});

test("what an account may not see is told to an account only", () => {
  const user = { sub: "ann" } as Shared["user"];
  assert.match(shown({ status: 403 }, user), /Not allowed.*Your account doesn’t have access/);
  const guest = shown({ status: 403, message: "Send this from the shop’s own pages." });
  assert.match(guest, /Not allowed.*Send this from the shop’s own pages\./);
  assert.doesNotMatch(guest, /Your account/);
});

test("who has to sign in again is led there, and to no other account", () => {
  const href = "/auth/login?confirm=1&return_to=%2Fadmin%2Foverview";
  const page = shown({ status: 403, confirm_href: href }, { sub: "ann" } as Shared["user"]);
  assert.match(
    page,
    /<a href="\/auth\/login\?confirm=1&amp;return_to=%2Fadmin%2Foverview">Sign in again</,
  );
  assert.doesNotMatch(page, /another account/);
});

test("what is gone, or was asked for wrongly, is no fault of the shop", () => {
  const gone = shown({ status: 410, message: "This page no longer exists: /product/x" });
  assert.match(gone, /Page not found.*the item may be gone/);
  assert.match(shown({ status: 405, message: "Method not allowed" }), /That didn’t work/);
  for (const status of [405, 410, 429])
    assert.doesNotMatch(shown({ status }), /on our end|keeps happening/);
});
