import type { ShippingTable } from "../../lib/types";
import { formatWeight, parseWeight } from "../../lib/weight";
import { centsOrInvalid, fromCents } from "../parts/cents";

/** A shipping method as typed: all values are texts, with a price for every zone and weight class. */
export interface MethodDraft {
  code: string;
  name: string;
  estimate: string;
  pickup: boolean;
  by_air: boolean;
  fee: string;
  weights: string[];
  /** Prices by zone, in the order of the zones; the method does not serve a zone without any price. */
  prices: string[][];
}

export interface ZoneDraft {
  name: string;
  states: string;
}

export interface ShippingDraft {
  methods: MethodDraft[];
  zones: ZoneDraft[];
}

export function draftOf({ methods, zones }: ShippingTable): ShippingDraft {
  return {
    zones: zones.map(({ name, states }) => ({ name, states: states.join(" ") })),
    methods: methods.map((method) => ({
      ...method,
      fee: fromCents(method.signature_fee),
      weights: method.weights.map(formatWeight),
      prices: zones.map(({ name }) => {
        const rates = method.rates.find(({ zone }) => zone === name);
        return rates?.prices.map(fromCents) ?? [];
      }),
    })),
  };
}

/** Changes a zone; its prices stay its own, whatever it is called while its name is typed. */
export function withZone(
  draft: ShippingDraft,
  at: number,
  patch: Partial<ZoneDraft>,
): ShippingDraft {
  const zones = draft.zones.map((zone, index) => (index === at ? { ...zone, ...patch } : zone));
  return { ...draft, zones };
}

export function withoutZone({ methods, zones }: ShippingDraft, at: number): ShippingDraft {
  const isKept = (_: unknown, index: number) => index !== at;
  return {
    zones: zones.filter(isKept),
    methods: methods.map((method) => ({ ...method, prices: method.prices.filter(isKept) })),
  };
}

/** The places of the zones that a method serves, in the order in which they are sent. */
export function served({ prices }: MethodDraft): number[] {
  return prices.flatMap((row, at) => (row.some((price) => price.trim() !== "") ? [at] : []));
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
      signature_fee: centsOrInvalid(method.fee),
      weights: method.weights.map(parseWeight),
      rates: served(method).map((zone) => ({
        zone: draft.zones[zone]?.name.trim() ?? "",
        prices: method.weights.map((_, at) => centsOrInvalid(method.prices[zone]?.[at] ?? "")),
      })),
    })),
  };
}
