import type { ShippingSettingsPage } from "../lib/types";

export const shippingSettings: ShippingSettingsPage = {
  version: 1,
  table: {
    methods: [
      {
        code: "ground",
        name: "Ground",
        estimate: "2 to 7 business days",
        pickup: false,
        by_air: false,
        signature_fee: 400,
        weights: [500, 2_000],
        rates: [{ zone: "near", prices: [695, 895] }],
      },
      {
        code: "pickup",
        name: "Pick up",
        estimate: "Ready within a day",
        pickup: true,
        by_air: false,
        signature_fee: 0,
        weights: [],
        rates: [],
      },
    ],
    zones: [
      { name: "near", states: ["OH", "IN"] },
      { name: "far", states: ["CA"] },
    ],
  },
};
