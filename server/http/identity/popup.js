// The end of a sign-in in a popup: tells the page that opened it, which may be cut off from it, and closes.
const { id, ok, reason } = document.body.dataset;
const message = { type: "auth", id, ok: ok === "true", reason };
window.opener?.postMessage(message, location.origin);
new BroadcastChannel("shop.auth").postMessage(message);
window.close();
