import type {
  ProductEditorPage,
  ProductGroupsPage,
  ProductImportPage,
  ProductsPage,
} from "../lib/types";
import { listOf } from "./admin-list";
import { money, repeat } from "./base";

export const products: ProductsPage = {
  list: listOf("title", "status", "category", "price", "on_hand", "skus", "updated"),
  products: repeat(3, (index) => ({
    id: `sample-${index}`,
    title: "Walnut pipe rack",
    status: index === 0 ? "draft" : "active",
    publish_at: index === 0 ? "2026-11-21T12:00:05" : null,
    category: "Racks",
    class: "General merchandise",
    lowest: money(4_900),
    highest: money(4_900 + index * 100),
    on_hand: 7,
    skus: 2,
    updated_at: "2026-11-21T12:00:05",
    picture: index === 1 ? "sample" : null,
  })),
  categories: [{ value: "racks", label: "Racks" }],
  classes: [{ value: "general_merchandise", label: "General merchandise" }],
};

export const editor: ProductEditorPage = {
  product: {
    id: "sample",
    version: 3,
    was_released: true,
    updated_at: 0,
    content: {
      title: "Walnut pipe rack",
      subtitle: "For six pipes",
      handle: "walnut-pipe-rack",
      description: ["Turned by hand."],
      highlights: ["Holds six"],
      details: [{ label: "Height", value: "12 cm" }],
      category_id: "racks",
      material: "Walnut",
      compliance_class: "general_merchandise",
      seo_title: "",
      seo_description: "",
      status: "active",
      publish_at: null,
      options: [{ name: "Color", values: [{ value: "Dark", hex: "#3a2a20" }] }],
      variants: [
        {
          id: "sample-dark",
          sku: "RACK-D",
          options: ["Dark"],
          price: 4_900,
          compare_at_price: 5_900,
          weight_grams: 800,
          picture: "sample",
          on_hand: null,
        },
      ],
      pictures: [{ key: "sample", alt: "A rack of dark walnut" }],
      collections: ["gifts"],
    },
    stock: [{ on_hand: 7, reserved: 1, to_hand_over: 2, low_stock_threshold: 5 }],
  },
  categories: [{ value: "racks", label: "Racks" }],
  classes: [
    { value: "general_merchandise", label: "General merchandise", restriction: "Sold to adults." },
  ],
  collections: [{ value: "gifts", label: "Gifts" }],
  history: [
    {
      at: "2026-11-21T12:00:05",
      actor: "Sample Admin",
      action: "product.update",
      before: { title: "Rack" },
      after: { title: "Walnut pipe rack" },
    },
  ],
  movements: [
    {
      at: "2026-11-21T12:00:05",
      sku: "RACK-D",
      reason: "received",
      note: "",
      quantity: 7,
      order: null,
      actor: "Sample Admin",
    },
  ],
  origin: "https://shop.example",
};

export const groups: ProductGroupsPage = {
  categories: [
    {
      id: "racks",
      form: {
        version: 1,
        name: "Racks",
        slug: "racks",
        description: "",
        parent_id: null,
        place: null,
      },
      place: 0,
      depth: 0,
      products: 3,
    },
  ],
  collections: [
    {
      id: "gifts",
      form: {
        version: 1,
        title: "Gifts",
        handle: "gifts",
        description: "",
        place: null,
        products: null,
      },
      products: 1,
      titles: ["Walnut pipe rack"],
    },
  ],
};

export const productImport: ProductImportPage = {
  id: null,
  imports: [
    {
      id: "sample",
      file_name: "products.csv",
      state: "applied",
      at: "2026-11-21T12:00:05",
      actor: "Ada Reed",
    },
  ],
};
