// Loaded at sign-in: the popup on wide screens, the steps after a sign-in, and sign-up.
import { ApiError, call } from "../lib/api";
import { navigate, refresh } from "../lib/navigation";
import { type Outcome, type PopupHost, waitForPopup } from "../lib/popup";
import { forgetSignup, isSignupOver, markSignup, takeSignup } from "../lib/signup";
import { timers } from "../lib/timers";
import { addToast } from "../lib/toast";
import type { UserView } from "../lib/types";
import { verifyAge } from "../lib/verify-age";

const WIDTH = 400;
const HEIGHT = 600;
const POLL_MS = 3_000;
const TIMEOUT_MS = 60_000;
const CHANNEL = "shop.auth";
/** A window name for this tab, so that it does not reuse another tab's popup. */
const POPUP = `shop-sign-in-${Math.random()}`;

const LEAVE = "Sign in on this page? What you’ve entered will be lost.";

/** The last sign-in that this tab started. Its popup has replaced earlier ones. */
let latest = "";

/** Follows a link to `/auth/login` or `/auth/signup`. */
export async function follow(href: string): Promise<void> {
  const url = new URL(href, location.href);
  url.searchParams.set("return_to", returnOf(url));
  if (url.pathname !== "/auth/signup") {
    await signIn(url);
    return;
  }
  const { askForSignup } = await import("../account/sign-up-dialog");
  if (!(await askForSignup())) return;
  markSignup();
  if (!(await signIn(url))) forgetSignup();
}

/** False if the visitor canceled. */
async function signIn(url: URL): Promise<boolean> {
  // Where staff confirm who they are, what they have entered stays only if the page does.
  const stays = url.searchParams.has("confirm");
  const id = stays || !isMobile() ? crypto.randomUUID() : "";
  latest = id;
  const popup = id ? openPopup(url, id) : null;
  const outcome = popup ? await outcomeOf(popup, id, stays) : "failed";
  if (latest !== id && outcome !== "ok") return true;
  if (outcome === "failed" || outcome === "timeout") {
    popup?.close();
    if (stays && !confirm(LEAVE)) return false;
    location.assign(url);
    return true;
  }
  if (outcome !== "ok") {
    addToast({ severity: "info", summary: "Sign-in was canceled.", life: 6_000 });
    // If the provider severs its window from this page, the sign-in may still be in progress.
    if (outcome === "canceled" || !(await waitForSignIn(id))) return false;
  }
  await finish(url);
  return true;
}

/** A page that is to stay waits for as long as its popup is open. */
async function outcomeOf(popup: Window, id: string, stays: boolean): Promise<Outcome> {
  const outcome = await waitForPopup(hostOf(popup), id);
  const goesOn = outcome === "timeout" && stays && latest === id;
  return goesOn ? outcomeOf(popup, id, stays) : outcome;
}

/** A mobile device, or a window too narrow for a popup. */
function isMobile(): boolean {
  const { userAgentData } = navigator as Navigator & { userAgentData?: { mobile: boolean } };
  const device = userAgentData?.mobile ?? /Mobi|Android|iPhone|iPad/i.test(navigator.userAgent);
  return device || innerWidth < 768;
}

function openPopup(url: URL, id: string): Window | null {
  const target = new URL(url);
  target.searchParams.set("popup", id);
  const left = Math.round(screenX + (outerWidth - WIDTH) / 2);
  const top = Math.round(screenY + (outerHeight - HEIGHT) / 2);
  const features = `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`;
  return open(target, POPUP, features);
}

function hostOf(popup: Window): PopupHost {
  return {
    origin: location.origin,
    isClosed: () => popup.closed,
    listen,
    after: timers.after,
  };
}

/** Both channels that the callback page uses; the broadcast channel works without an opener. */
function listen(onMessage: (origin: string, data: unknown) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  const message = ({ origin, data }: MessageEvent<unknown>) => onMessage(origin, data);
  addEventListener("message", message);
  channel.addEventListener("message", message);
  return () => {
    removeEventListener("message", message);
    channel.close();
  };
}

/** Whether the visitor signs in within a minute, according to the popup or the server. */
async function waitForSignIn(id: string): Promise<boolean> {
  const deadline = performance.now() + TIMEOUT_MS;
  let outcome: Outcome | null = null;
  const host: PopupHost = { ...hostOf(window), isClosed: () => false };
  void waitForPopup(host, id).then((result) => {
    outcome = result;
  });
  while (performance.now() < deadline && outcome === null) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (outcome === null && (await isSignedIn())) return true;
  }
  return outcome === "ok";
}

async function isSignedIn(): Promise<boolean> {
  try {
    await call("/api/me");
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return false;
  }
}

/** Refreshes the page for the signed-in visitor, or goes to the page that the link returns to. */
async function finish(url: URL): Promise<void> {
  const target = returnOf(url);
  if (target === here()) await refresh();
  else await navigate(target);
}

const here = () => location.pathname + location.search;

/** The page that the link returns to. The address of the present one may have changed since: another variant was chosen. */
function returnOf(url: URL): string {
  const target = url.searchParams.get("return_to");
  return target && target.split("?")[0] !== location.pathname ? target : here();
}

/**
 * After the first sign-in that follows a sign-up, sends the pending birth date to the server; failures are only logged.
 * While signed out, removes the pending data of a refused or expired sign-up, so that no other visitor's account gets it.
 */
export async function finishSignup(user: UserView | null, wasRefused: boolean): Promise<void> {
  if (!user) {
    if (wasRefused || isSignupOver()) forgetSignup();
    return;
  }
  const pending = takeSignup();
  if (!pending) return;
  const refused = await verifyAge({ ...pending, user_id: user.sub });
  if (refused) console.error("Age could not be verified:", refused);
  else await refresh();
}
