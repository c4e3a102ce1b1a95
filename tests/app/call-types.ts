// Compiled and never run: what the types of a call accept and reject.
import { staffCall } from "../../app/admin/call";
import { upload } from "../../app/admin/products/upload";
import { call } from "../../app/lib/api";
import type {
  CartSync,
  CheckoutStatus,
  DraftOutcome,
  FoundBuyers,
  Me,
  NewDraft,
  PayRequest,
  Shipment,
  UploadedPicture,
} from "../../app/lib/types";

declare const id: string;
declare const pay: PayRequest;
declare const cart: CartSync;
declare const draft: NewDraft;
declare const parcel: Shipment;
declare const file: Blob;
declare const say: (part: number) => void;

export async function taken(): Promise<void> {
  const me: Me = await call("/api/me");
  const status: CheckoutStatus = await call(`/api/checkout/${id}`, { retry: 1 });
  // A route without parameters takes precedence over one with parameters.
  const paid: CheckoutStatus = await call("/api/checkout/pay", { method: "POST", body: pay });
  const nothing: undefined = await call(`/api/me/addresses/${id}`, { method: "DELETE" });
  await call(`/api/admin/search?q=${id}`);
  void [me, status, paid, nothing];
}

export async function refused(): Promise<void> {
  // @ts-expect-error: no such path.
  await call("/api/mine");
  // @ts-expect-error: no such path below an existing one.
  await call(`/api/me/addresses/${id}/name`);
  // @ts-expect-error: an arbitrary string.
  await call(id);
  // @ts-expect-error: it only accepts POST.
  await call("/api/checkout/pay");
  // @ts-expect-error: no such method for this path.
  await call("/api/me", { method: "POST" });
  // @ts-expect-error: without its body.
  await call("/api/cart/sync", { method: "POST" });
  // @ts-expect-error: another call's body.
  await call("/api/checkout/pay", { method: "POST", body: cart });
  // @ts-expect-error: a field with the wrong type.
  await call("/api/me", { method: "DELETE", body: { confirm: 1 } });
  // @ts-expect-error: an unknown field.
  await call("/api/me", { method: "DELETE", body: { confirm: "", reason: "" } });
  // @ts-expect-error: it takes no body.
  await call(`/api/me/sessions/${id}`, { method: "DELETE", body: {} });
  // @ts-expect-error: another call's response.
  const me: Me = await call("/api/cart");
  void me;
}

export async function takenOfStaff(): Promise<void> {
  const { buyers }: FoundBuyers = await staffCall(`/api/admin/orders/buyers?q=${id}`);
  const made: DraftOutcome = await staffCall("/api/admin/orders/drafts", {
    method: "POST",
    body: draft,
  });
  await staffCall(`/api/admin/orders/${id}/shipment`, { method: "POST", body: parcel });
  await staffCall(`/api/admin/categories/${id}?version=1`, { method: "DELETE" });
  const kept: UploadedPicture = await upload("/api/admin/pictures", file, "image/png", say);
  void [buyers, made, kept];
}

export async function refusedOfStaff(): Promise<void> {
  // @ts-expect-error: no such path.
  await staffCall("/api/admin/buyers");
  // @ts-expect-error: an arbitrary string.
  await staffCall(id);
  // @ts-expect-error: it only accepts PUT.
  await staffCall(`/api/admin/orders/${id}/address`, { method: "POST", body: draft });
  // @ts-expect-error: another call's body.
  await staffCall(`/api/admin/orders/${id}/shipment`, { method: "POST", body: draft });
  // @ts-expect-error: without the version.
  await staffCall(`/api/admin/orders/${id}/ready`, { method: "POST", body: {} });
  const text = new FormData().get("text");
  // @ts-expect-error: a form's value may be a file or null.
  await staffCall(`/api/admin/orders/${id}/notes`, { method: "POST", body: { text } });
  // @ts-expect-error: another call's response.
  const found: FoundBuyers = await staffCall(`/api/admin/orders/goods?q=${id}`);
  // @ts-expect-error: it only accepts GET.
  await upload("/api/admin/search", file, "image/png", say);
  void found;
}
