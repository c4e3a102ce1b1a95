import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import type { Toast } from "../../app/lib/toast-store";
import { Message } from "../../app/shell/toast-message";

const saved: Toast = { id: 1, severity: "info", summary: "Saved." };

test("a message can be closed unless it says otherwise", () => {
  const shown = (toast: Toast) =>
    renderToStaticMarkup(<Message toast={toast} onHover={undefined} />);
  for (const toast of [saved, { ...saved, closable: true }])
    assert.match(shown(toast), /Saved\..*Close notification/);
  assert.match(shown({ ...saved, closable: false }), /Saved\./);
  assert.doesNotMatch(shown({ ...saved, closable: false }), /<button/);
});

test("a message shows which of the four severities it has", () => {
  for (const severity of ["info", "success", "warn", "error"] as const) {
    const shown = renderToStaticMarkup(
      <Message toast={{ ...saved, severity }} onHover={undefined} />,
    );
    assert.match(shown, new RegExp(`^<div class="toast toast-${severity}">.*Saved\\.`));
  }
});

test("a message may lead to sign-in, and from there back to its page", () => {
  const value = { pathname: "/account" };
  Object.defineProperty(globalThis, "location", { value, configurable: true });
  const shown = (toast: Toast) =>
    renderToStaticMarkup(<Message toast={toast} onHover={undefined} />);
  const link = /href="\/auth\/login\?return_to=%2Faccount">Sign in</;
  assert.match(shown({ ...saved, toSignIn: true }), link);
  assert.doesNotMatch(shown({ ...saved, toSignIn: false }), /<a/);
});

test("the pointer and the focus pause a message only if a hover handler is supplied", () => {
  const without = Message({ toast: saved, onHover: undefined }).props;
  const supplied = Message({ toast: saved, onHover: (pause) => pause() }).props;
  for (const name of ["onPointerEnter", "onPointerLeave", "onFocus", "onBlur"]) {
    assert.equal(without[name], undefined);
    assert.equal(typeof supplied[name], "function");
  }
});
