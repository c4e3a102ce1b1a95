import type { Beacon } from "./types";

/** Loads the traffic beacon, unless the shop has none or the visitor does not want to be counted. */
export function startBeacon(beacon: Beacon | null): void {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & {
    globalPrivacyControl?: boolean;
  };
  if (!beacon?.token || doNotTrack === "1" || globalPrivacyControl) return;
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
