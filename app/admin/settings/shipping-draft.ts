import type { ShippingTable } from "../../lib/types";
import { formatWeight, parseWeight } from "../../lib/weight";
import { decimal, minor } from "./decimals";

/** A shipping method as typed: all values are texts, with a price for every zone and weight class. */
export interface MethodDraft {
  code: string;
  name: string;
  estimate: string;
  pickup: boolean;
  by_air: boolean;
  fee: string;
  weights: string[];
  /** Prices by zone; the method does not serve a zone without any price. */
  prices: Record<string, string[]>;
}

export interface ShippingDraft {
  methods: MethodDraft[];
  zones: { name: string; states: string }[];
}

export function draftOf({ methods, zones }: ShippingTable): ShippingDraft {
  return {
    zones: zones.map(({ name, states }) => ({ name, states: states.join(" ") })),
    methods: methods.map((method) => ({
      ...method,
      fee: decimal(method.signature_fee),
      weights: method.weights.map(formatWeight),
      prices: Object.fromEntries(
        method.rates.map(({ zone, prices }) => [zone, prices.map((price) => decimal(price))]),
      ),
    })),
  };
}

/** The zones that a method serves, in the order in which they are sent. */
export function served({ prices }: MethodDraft, { zones }: ShippingDraft): string[] {
  return zones
    .map(({ name }) => name)
    .filter((name) => (prices[name] ?? []).some((price) => price.trim() !== ""));
}

export function tableOf(draft: ShippingDraft): ShippingTable {
  return {
    zones: draft.zones.map(({ name, states }) => ({
      name: name.trim(),
      states: states
        .toUpperCase()
        .split(/[\s,;]+/)
        .filter(Boolean),
    })),
    methods: draft.methods.map((method) => ({
      code: method.code.trim(),
      name: method.name,
      estimate: method.estimate,
      pickup: method.pickup,
      by_air: method.by_air,
      signature_fee: minor(method.fee),
      weights: method.weights.map(parseWeight),
      rates: served(method, draft).map((zone) => ({
        zone: zone.trim(),
        prices: method.weights.map((_, at) => minor(method.prices[zone]?.[at] ?? "")),
      })),
    })),
  };
}
