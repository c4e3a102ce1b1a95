// Compiled and never run: what the types of a call let through, and what they refuse.
import { call } from "../../app/lib/api";
import type { CartSync, CheckoutStatus, Me, PayRequest } from "../../app/lib/types";

declare const id: string;
declare const pay: PayRequest;
declare const cart: CartSync;

export async function taken(): Promise<void> {
  const me: Me = await call("/api/me");
  const status: CheckoutStatus = await call(`/api/checkout/${id}`, { retry: 1 });
  // A route without parameters goes before one that has them.
  const paid: CheckoutStatus = await call("/api/checkout/pay", { method: "POST", body: pay });
  const nothing: undefined = await call(`/api/me/addresses/${id}`, { method: "DELETE" });
  await call(`/api/admin/search?q=${id}`);
  void [me, status, paid, nothing];
}

export async function refused(): Promise<void> {
  // @ts-expect-error: no such path.
  await call("/api/mine");
  // @ts-expect-error: no such path beneath one that is.
  await call(`/api/me/addresses/${id}/name`);
  // @ts-expect-error: nothing is known of it.
  await call(id);
  // @ts-expect-error: it is posted to alone.
  await call("/api/checkout/pay");
  // @ts-expect-error: no such method there.
  await call("/api/me", { method: "POST" });
  // @ts-expect-error: without its body.
  await call("/api/cart/sync", { method: "POST" });
  // @ts-expect-error: another call's body.
  await call("/api/checkout/pay", { method: "POST", body: cart });
  // @ts-expect-error: a field of another type.
  await call("/api/me", { method: "DELETE", body: { confirm: 1 } });
  // @ts-expect-error: a field that it does not have.
  await call("/api/me", { method: "DELETE", body: { confirm: "", reason: "" } });
  // @ts-expect-error: it takes none.
  await call(`/api/me/sessions/${id}`, { method: "DELETE", body: {} });
  // @ts-expect-error: another call's answer.
  const me: Me = await call("/api/cart");
  void me;
}
