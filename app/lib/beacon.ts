import { trusted } from "./trusted";
import type { Beacon } from "./types";

/** A browser's privacy signals: Do Not Track and Global Privacy Control. */
interface PrivacySignals {
  doNotTrack?: string | null;
  globalPrivacyControl?: boolean;
}

/** Whether the visitor has opted out of tracking. */
export function optedOutOfTracking({ doNotTrack, globalPrivacyControl }: PrivacySignals): boolean {
  return doNotTrack === "1" || globalPrivacyControl === true;
}

export function mayLoadBeacon(beacon: Beacon | null, signals: PrivacySignals): beacon is Beacon {
  return Boolean(beacon?.token) && !optedOutOfTracking(signals);
}

/** Loads the traffic beacon, unless the shop has none or the visitor has opted out of tracking. */
export function startBeacon(beacon: Beacon | null): void {
  if (!mayLoadBeacon(beacon, navigator)) return;
  const script = document.createElement("script");
  script.src = trusted.createScriptURL("https://static.cloudflareinsights.com/beacon.min.js");
  script.defer = true;
  script.dataset.cfBeacon = JSON.stringify({
    token: beacon.token,
    spa: true,
    siteDomain: beacon.site,
  });
  document.head.append(script);
}
