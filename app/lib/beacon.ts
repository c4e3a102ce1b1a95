import type { Beacon } from "./types";

/** A browser's privacy signals: Do Not Track and Global Privacy Control. */
interface Wishes {
  doNotTrack?: string | null;
  globalPrivacyControl?: boolean;
}

/** Whether the visitor has opted out of tracking. */
export function objects({ doNotTrack, globalPrivacyControl }: Wishes): boolean {
  return doNotTrack === "1" || globalPrivacyControl === true;
}

export function mayCount(beacon: Beacon | null, wishes: Wishes): beacon is Beacon {
  return Boolean(beacon?.token) && !objects(wishes);
}

/** Loads the traffic beacon, unless the shop has none or the visitor has opted out of tracking. */
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
