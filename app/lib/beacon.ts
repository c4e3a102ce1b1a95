import type { Beacon } from "./types";

/** What a browser says about being counted; the second is the signal of Global Privacy Control. */
interface Wishes {
  doNotTrack?: string | null;
  globalPrivacyControl?: boolean;
}

/** Whether a visitor does not want to be counted or tracked. */
export function objects({ doNotTrack, globalPrivacyControl }: Wishes): boolean {
  return doNotTrack === "1" || globalPrivacyControl === true;
}

export function mayCount(beacon: Beacon | null, wishes: Wishes): beacon is Beacon {
  return Boolean(beacon?.token) && !objects(wishes);
}

/** Loads the traffic beacon, unless the shop has none or the visitor does not want to be counted. */
export function startBeacon(beacon: Beacon | null): void {
  if (!mayCount(beacon, navigator)) return;
  const script = document.createElement("script");
  script.src = "https://static.cloudflareinsights.com/beacon.min.js";
  script.defer = true;
  script.dataset.cfBeacon = JSON.stringify({
    token: beacon.token,
    spa: true,
    siteDomain: beacon.site,
  });
  document.head.append(script);
}
