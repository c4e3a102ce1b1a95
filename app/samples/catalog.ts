import type {
  CategoryCard,
  ListPage,
  ProductCard,
  ProductPage,
  ProductVariant,
} from "../lib/types";
import { link, money, picture, repeat } from "./base";

export const card = (index: number): ProductCard => ({
  title: `Walnut pipe rack for ${index + 2} pipes`,
  href: `/product/sample-${index}`,
  category: "Racks",
  price: 4_900 + index * 100,
  compare_at_price: index % 3 === 0 ? 6_900 : null,
  price_varies: index % 2 === 0,
  picture,
  availability: (["in_stock", "low_stock", "out_of_stock"] as const)[index % 3] ?? "in_stock",
  badge: ([null, "new", "sale"] as const)[index % 3] ?? null,
  colors: repeat(index % 4, (color) => ({
    label: `Walnut ${color}`,
    hex: "#5b3a21",
    reduced: color === 1,
  })),
});

export const category = (index: number): CategoryCard => ({
  name: `Category ${index}`,
  href: `/category/category-${index}`,
  description: "Made to be used daily and to last.",
  count: index * 7,
  picture: index % 2 === 0 ? picture : null,
});

export const list: ListPage = {
  heading: "Racks and stands",
  description: "Places to put a pipe down.",
  action: "/category/racks",
  breadcrumbs: [link("Home"), link("Racks")],
  children: repeat(3, category),
  q: "walnut",
  total: 96,
  items: repeat(48, card),
  sorts: repeat(3, (index) => ({
    value: `sort-${index}`,
    label: `Sort ${index}`,
    href: "/products",
    selected: index === 0,
  })),
  facets: ["category", "material", "color", "availability", "sale"].map((key) => ({
    key,
    label: key,
    options: repeat(4, (index) => ({
      label: `Option ${index}`,
      count: index,
      selected: index === 1,
      href: `/products?${key}=${index}`,
      hex: key === "color" ? "#5b3a21" : null,
    })),
    more: null,
  })),
  price: {
    min: 5,
    max: 250,
    selected_min: 10,
    selected_max: null,
    filters: [{ name: "q", value: "walnut" }],
  },
  active: [link("Walnut")],
  clear_href: "/category/racks",
  pages: repeat(4, (index) => ({
    label: String(index + 1),
    href: `/products?page=${index + 1}`,
    current: index === 1,
    after_gap: false,
  })),
  prev_href: "/products",
  next_href: "/products?page=3",
  did_you_mean: link("Walnut"),
  popular: [],
};

const variant = (index: number): ProductVariant => ({
  id: `variant-${index}`,
  sku: `RACK-${index}`,
  title: `Walnut, ${index + 2} pipes`,
  options: ["Walnut", `${index + 2} pipes`],
  price: money(4_900 + index * 500),
  compare_at_price: index === 0 ? money(5_900) : null,
  availability: (["in_stock", "low_stock", "out_of_stock"] as const)[index % 3] ?? "in_stock",
  left: index % 3 === 1 ? 2 : null,
  max_quantity: index % 3 === 2 ? 0 : 10,
  picture: index % 3,
  href: `/product/sample?variant=RACK-${index}`,
});

export const product: ProductPage = {
  id: "sample",
  title: "Walnut pipe rack",
  subtitle: "Oiled by hand",
  story: {
    description: ["Turned from one board.", "Felt under the feet."],
    highlights: ["Solid walnut", "No lacquer"],
    details: [{ label: "Material", value: "Walnut" }],
  },
  breadcrumbs: [link("Home"), link("Racks")],
  gallery: {
    pictures: repeat(3, (index) => ({ ...picture, src: `/images/sample-${index}` })),
  },
  options: [
    { name: "Wood", values: [{ value: "Walnut", hex: "#5b3a21" }] },
    { name: "Size", values: repeat(3, (index) => ({ value: `${index + 2} pipes`, hex: null })) },
  ],
  variants: repeat(3, variant),
  selected: "RACK-0",
  related: repeat(4, card),
  restriction: "Sold to adults of 21 and older.",
};
