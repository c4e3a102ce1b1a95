import type { HomePage } from "../lib/types";
import { link, picture, repeat } from "./base";
import { card, category } from "./catalog";

export const home: HomePage = {
  hero: { picture, product: link("Racks") },
  categories: repeat(8, category),
  new_arrivals: repeat(8, card),
  on_sale: repeat(4, card),
  featured: {
    title: "For the desk",
    description: "Quiet things.",
    items: repeat(4, card),
  },
};
