import type {
  AccountPage,
  AdminOrder,
  AgeRefusedPage,
  AnalyticsPage,
  AuditPage,
  CartLine,
  CartPage,
  CategoryCard,
  CheckoutPage,
  CompanySettingsPage,
  ComplianceSettingsPage,
  ConfirmationPage,
  ConfirmPickupPage,
  DebugPage,
  DispatchEntry,
  DraftForm,
  DraftsPage,
  DraftView,
  EndpointView,
  Envelope,
  ErrorPage,
  EventChoice,
  Figures,
  GuestsPage,
  HomePage,
  LegalPage,
  LegalSettingsPage,
  Link,
  ListPage,
  ListView,
  MailSettingsPage,
  Meta,
  Money,
  NewOrderPage,
  OrdersPage,
  OrderView,
  OverviewPage,
  Picture,
  ProductCard,
  ProductEditorPage,
  ProductGroupsPage,
  ProductImportPage,
  ProductPage,
  ProductsPage,
  ProductVariant,
  PromotionsPage,
  Quote,
  ReportsPage,
  RolesPage,
  Shared,
  ShippingSettingsPage,
  TaxSettingsPage,
  TestEmailPage,
  TestingPage,
  UnfinishedPage,
  UserPage,
  UsersPage,
  WebhookDispatchPage,
  WebhookLogPage,
  WebhookPage,
  WebhooksPage,
} from "./lib/types";

// One envelope per page, as the server would send it. Isolates render them before they take visitors, so that the
// code is compiled by then, and tests render them to prove that every page can be.

const picture: Picture = {
  src: "/images/sample",
  alt: "A walnut pipe rack",
  width: 1280,
  height: 1280,
};
const money = (amount: number): Money => ({ amount, currency: "USD" });
const link = (label: string): Link => ({
  label,
  href: `/category/${label.toLowerCase().replaceAll(" ", "-")}`,
});
const repeat = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const card = (index: number): ProductCard => ({
  id: `sample-${index}`,
  title: `Walnut pipe rack for ${index + 2} pipes`,
  href: `/product/sample-${index}`,
  category: "Racks",
  price: money(4_900 + index * 100),
  compare_at_price: index % 3 === 0 ? money(6_900) : null,
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

const category = (index: number): CategoryCard => ({
  name: `Category ${index}`,
  href: `/category/category-${index}`,
  description: "Made to be used daily and to last.",
  count: index * 7,
  picture: index % 2 === 0 ? picture : null,
});

const shared: Shared = {
  build: "sample",
  company: {
    name: "Sample Tobacconist",
    legal_line: "Products for legal tobacco use only. Sample Tobacconist, OH, License # pending.",
    email: "hello@example.com",
    phone: "+1 614 555 0100",
    address: "1 High Street, Columbus, OH",
  },
  origin: "https://shop.example.com",
  currency: "USD",
  demo: true,
  age_verified: true,
  user: {
    name: "Ada Sample",
    email: "ada@example.com",
    sub: "sample",
    role: "customer",
    initials: "AS",
  },
  sign_in: true,
  notice: null,
  max_birth_date: "2026-01-01",
  menu: repeat(6, (index) => ({
    ...link(`Menu ${index}`),
    children: repeat(index, (child) => link(`Child ${child}`)),
  })),
  beacon: null,
  api_base: null,
  dev: false,
  staff: null,
};

const meta: Meta = {
  title: "Sample | Sample Tobacconist",
  description: "A page that is rendered before the first visitor comes.",
  canonical: null,
  robots: "noindex",
  image: null,
  json_ld: [],
  preload: null,
};

const home: HomePage = {
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

const list: ListPage = {
  heading: "Racks and stands",
  description: "Places to put a pipe down.",
  action: "/category/racks",
  breadcrumbs: [link("Home"), link("Racks")],
  children: repeat(3, category),
  query: { q: "walnut", sort: "price", page: 2 },
  total: 96,
  page_count: 4,
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
      value: `${key}-${index}`,
      label: `Option ${index}`,
      count: index,
      selected: index === 1,
      href: `/products?${key}=${index}`,
      hex: key === "color" ? "#5b3a21" : null,
    })),
  })),
  price: { min: 500, max: 25_000, selected_min: 1_000, selected_max: null },
  active: [link("Walnut")],
  clear_href: "/category/racks",
  pages: repeat(4, (index) => ({
    label: String(index + 1),
    href: `/products?page=${index + 1}`,
    current: index === 1,
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

const product: ProductPage = {
  id: "sample",
  title: "Walnut pipe rack",
  subtitle: "Oiled by hand",
  description: ["Turned from one board.", "Felt under the feet."],
  highlights: ["Solid walnut", "No lacquer"],
  details: [{ label: "Material", value: "Walnut" }],
  breadcrumbs: [link("Home"), link("Racks")],
  pictures: repeat(3, (index) => ({ ...picture, src: `/images/sample-${index}` })),
  options: [
    { name: "Wood", values: [{ value: "Walnut", hex: "#5b3a21" }] },
    { name: "Size", values: repeat(3, (index) => ({ value: `${index + 2} pipes`, hex: null })) },
  ],
  variants: repeat(3, variant),
  selected: "RACK-0",
  related: repeat(4, card),
  restriction: "Sold to adults of 21 and older.",
};

const document: LegalPage = {
  title: "Shipping policy",
  updated: "2026-01-01",
  html: '<h2 id="where">Where we ship</h2><p>Within the United States.</p>',
  toc: [{ id: "where", label: "Where we ship" }],
  documents: repeat(4, (index) => link(`Document ${index}`)),
};

const order = (index: number): OrderView => ({
  number: `SAMPLE-${index}`,
  href: `/order-confirmation?order=sample-${index}`,
  status: "placed",
  payment_status: "paid",
  fulfillment_status: "unfulfilled",
  placed_at: 1_795_280_400_000,
  email: "ada@example.com",
  lines: repeat(2, (line) => ({
    id: `line-${line}`,
    variant_id: `variant-${line}`,
    title: "Walnut pipe rack",
    variant: `Walnut, ${line + 2} pipes`,
    sku: `RACK-${line}`,
    href: `/product/sample?variant=RACK-${line}`,
    picture,
    quantity: 1,
    unit_price: 4_900,
    discount: line * 100,
  })),
  subtotal: 9_800,
  discount: 100,
  promo_code: "WELCOME10",
  shipping: 1_295,
  shipping_name: "Ground",
  tax: 776,
  tax_name: "Ohio",
  taxes: [{ name: "Ohio", amount: 776 }],
  total: 11_771,
  paid: 11_771,
  refunded: index * 1_000,
  address:
    index % 2 === 0
      ? {
          first_name: "Ada",
          last_name: "Sample",
          company: "",
          line1: "1 High Street",
          line2: "",
          city: "Columbus",
          state: "OH",
          postal_code: "43215",
          phone: "",
        }
      : null,
  picked_up: index % 2 === 1,
  adult_signature: true,
  paid_with: "Visa ending in 1111",
  parcels:
    index % 2 === 0
      ? [
          {
            carrier: "UPS Ground",
            tracking_number: "1Z999",
            tracking_url: "https://www.ups.com/track?tracknum=1Z999",
            shipped_at: 1_795_280_500_000,
            delivered_at: null,
          },
        ]
      : [],
  ready_at: index % 2 === 1 ? 1_795_280_500_000 : null,
  timeline: [{ at: 1_795_280_400_000, text: "We have received your order." }],
});

const cartLine = (index: number): CartLine => ({
  id: `variant-${index}`,
  price: 4_900,
  qty: index + 1,
  title: "Walnut pipe rack",
  variant: "Six pipes",
  sku: `WPR-${index}`,
  href: "/product/walnut-pipe-rack",
  picture,
  max_quantity: 10,
  compare_at_price: index % 2 === 0 ? null : 5_900,
  saved: false,
  availability: "in_stock",
});

const quote: Quote = {
  lines: [cartLine(0), cartLine(1)],
  changes: [{ id: "variant-1", kind: "sold_out", message: "“Walnut pipe rack” is sold out." }],
  problems: [],
  held_up_by: [],
  subtotal: 14_700,
  discount: 1_470,
  promo: { code: "SAMPLE10", label: "10% off" },
  shipping_options: [
    { code: "ground", name: "Ground", estimate: "3 to 5 days", price: 995, pickup: false },
    { code: "pickup", name: "Pickup", estimate: "Today", price: 0, pickup: true },
  ],
  shipping: 995,
  tax: 1_067,
  tax_name: "Sales tax",
  taxes: [{ name: "Sales tax", amount: 1_067 }],
  total: 15_292,
  adult_signature: true,
  payment_methods: ["square", "pickup"],
};

const cart: CartPage = {
  quote,
  saved: [cartLine(2)],
  promo_code: "SAMPLE10",
  problems: ["Two are left."],
  popular: repeat(2, card),
};

const checkout: CheckoutPage = {
  draft: null,
  over: null,
  states: [{ code: "OH", name: "Ohio" }],
  square: null,
  store_address: shared.company.address,
  url: "/checkout",
  quote,
  promo_code: "SAMPLE10",
  addresses: [],
  form: {
    email: "ada@example.com",
    phone: "",
    first_name: "Ada",
    last_name: "Sample",
    company: "",
    line1: "1 High Street",
    line2: "",
    city: "Columbus",
    state: "OH",
    postal_code: "43215",
    delivery: "ship",
    method: "ground",
    payment: null,
  },
  checkout_id: "sample",
  click_id: "sample",
  refusal: null,
  mailed: false,
};
const confirmPickup: ConfirmPickupPage = {
  pickup: { link: "sample", lines: order(0).lines, total: 17_064 },
  order: null,
  store_address: shared.company.address,
};
const confirmation: ConfirmationPage = { order: order(0), store_address: shared.company.address };

const account: AccountPage = {
  account_url: "https://id.example/account",
  open: null,
  refused: null,
  me: {
    sub: "sample",
    name: "Ada Sample",
    email: "ada@example.com",
    email_verified: true,
    phone: "614 555 0100",
    roles: ["customer"],
    role: "customer",
    preferences: { preferred_state: "OH" },
    addresses: repeat(2, (index) => ({
      id: `address-${index}`,
      first_name: "Ada",
      last_name: "Sample",
      company: "",
      line1: `${index + 1} High Street`,
      line2: "",
      city: "Columbus",
      state: "OH",
      postal_code: "43215",
      phone: "",
      is_default: index === 0,
    })),
    age: null,
  },
  sessions: repeat(2, (index) => ({
    id: `session-${index}`,
    device: "Firefox on Linux",
    network: "203.0.113.0",
    created_at: 1_795_280_400_000,
    seen_at: 1_795_280_400_000,
    is_current: index === 0,
  })),
  orders: repeat(2, order),
};

const refused: AgeRefusedPage = { error: "Please enter your date of birth.", return_to: "/" };
const testEmail: TestEmailPage = {
  enabled: true,
  to: "hello@example.com",
  kind: "test",
  kinds: [{ value: "test", label: "Plain test" }],
  outcome: { accepted: false, message: "The mail server refused the message.", detail: "550" },
};
const adminList: ListView = {
  path: "/admin/samples",
  q: "sample",
  sort: "-at",
  query: "q=sample&status=one",
  columns: ["at", "name", "total"].map((name, index) => ({
    name,
    label: name,
    is_shown: true,
    is_number: index !== 1,
    sorted: index === 0 ? "descending" : null,
    sort_href: index === 1 ? null : `/admin/samples?sort=${name}`,
  })),
  filters: [
    {
      name: "status",
      label: "Status",
      is_days: false,
      from: null,
      to: null,
      options: [
        { value: "one", label: "One", is_on: true },
        { value: "two", label: "Two", is_on: false },
      ],
    },
    { name: "at", label: "When", is_days: true, from: "2026-11-01", to: null, options: [] },
  ],
  is_filtered: true,
  has_chosen_columns: false,
  total: 1_234,
  is_counted_up: true,
  previous: null,
  next: "/admin/samples?after=sample",
  built_in: [
    { label: "All", href: "/admin/samples" },
    { label: "New", href: "/admin/samples?state=new" },
  ],
  views: [
    { id: "view", name: "Mine", href: "/admin/samples?q=sample", is_shared: false, is_own: true },
  ],
};

/** A list of the admin area with these columns. */
const listOf = (...names: string[]): ListView => ({
  ...adminList,
  columns: names.map((name) => ({
    name,
    label: name,
    is_shown: true,
    is_number: false,
    sorted: null,
    sort_href: null,
  })),
});

const staff: Shared["staff"] = {
  navigation: [{ label: "Audit log", href: "/admin/audit", icon: "audit", key: "l" }],
  may: ["see_shop", "see_audit"],
};

const audit: AuditPage = {
  list: listOf("at", "actor", "action", "subject", "changes", "from"),
  entries: repeat(3, (index) => ({
    seq: 3 - index,
    at: "2026-11-21T12:00:05",
    actor: index === 0 ? "" : "Sample Admin",
    role: "admin",
    action: "product.update",
    kind: "product",
    label: "Walnut pipe rack",
    href: index === 0 ? null : "/admin/products/sample",
    before: { title: "Pipe rack", price: 4_900 },
    after: { title: "Walnut pipe rack", price: 5_900, tags: ["new"] },
    from: "203.0.113.0, Firefox on Linux",
  })),
};
const products: ProductsPage = {
  list: listOf("title", "status", "category", "price", "on_hand", "skus", "updated"),
  products: repeat(3, (index) => ({
    id: `sample-${index}`,
    title: "Walnut pipe rack",
    handle: "walnut-pipe-rack",
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
  may_edit: true,
  categories: [{ value: "racks", label: "Racks" }],
  classes: [{ value: "general_merchandise", label: "General merchandise" }],
};
const editor: ProductEditorPage = {
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
    stock: [{ on_hand: 7, reserved: 1, low_stock_threshold: 5 }],
  },
  may_edit: true,
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
const groups: ProductGroupsPage = {
  categories: [
    {
      id: "racks",
      form: {
        version: 1,
        name: "Racks",
        slug: "racks",
        description: "",
        parent_id: null,
        place: 0,
      },
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
        place: 0,
        products: ["sample"],
      },
      titles: ["Walnut pipe rack"],
    },
  ],
  may_edit: true,
};
const productImport: ProductImportPage = { id: null };

const users: UsersPage = {
  list: listOf("name", "email", "role", "orders", "spent", "signed_in", "since", "state"),
  users: repeat(3, (index) => ({
    id: `user-${index}`,
    name: index === 1 ? "" : "Sample Customer",
    email: index === 2 ? "" : "customer@shop.example",
    role: index === 0 ? "staff" : "customer",
    orders: index,
    spent: index * 1_250,
    since: "2026-01-21T12:00:05",
    signed_in: "2026-11-21T12:00:05",
    is_blocked: index === 1,
    is_deleted: index === 2,
  })),
};

const user: UserPage = {
  id: "user",
  version: 3,
  name: "Sample Customer",
  email: "customer@shop.example",
  is_email_verified: false,
  phone: "",
  role: "staff",
  listed_roles: ["customer"],
  assigned_role: "staff",
  since: "2026-01-21T12:00:05",
  signed_in: "2026-11-21T12:00:05",
  blocked_since: "2026-11-21T12:00:05",
  block_reason: "Asked for it",
  is_deleted: false,
  age_proof: { verified: "2026-01-21T12:00:05", expires: "2027-01-21T12:00:05" },
  sessions: repeat(2, (index) => ({
    id: `session-${index}`,
    device: "Firefox on Linux",
    network: "203.0.113.0",
    began: "2026-11-21T12:00:05",
    seen: "2026-11-21T12:00:05",
  })),
  addresses: account.me.addresses,
  order_count: 24,
  spent: 125_000,
  orders: repeat(2, (index) => ({
    number: `AB12-CD0${index}`,
    placed: "2026-11-21T12:00:05",
    total: 4_900,
    status: "placed",
    payment_status: "paid",
    fulfillment_status: "unfulfilled",
  })),
  may_manage: true,
  may_change_role: true,
};

const goods = [{ title: "Walnut pipe rack", variant: "6 pipes", sku: "SAMPLE-0", quantity: 1 }];
const adminOrder: AdminOrder = {
  number: "7KQ2-M9XD",
  version: 1,
  status: "placed",
  payment_status: "partially_refunded",
  fulfillment_status: "partially_fulfilled",
  attention: "A refund failed. Refund the customer another way.",
  placed_at: "2026-11-21T12:00:05",
  unfinished: null,
  customer: {
    name: "Ada Sample",
    email: "ada@example.com",
    phone: "614 555 0100",
    href: "/admin/users/sample",
    orders: 2,
  },
  picked_up: false,
  is_ready: false,
  shipping_name: "Ground",
  address: order(0).address,
  adult_signature: true,
  needs_label: true,
  lines: repeat(2, (index) => ({
    id: `line-${index}`,
    title: "Walnut pipe rack",
    variant: "6 pipes",
    sku: `SAMPLE-${index}`,
    href: "/product/sample",
    picture,
    quantity: 3,
    unit_price: 4_900,
    discount: index,
    tax: 392,
    total: 15_092 - index,
    canceled: index,
    left: 1,
    open: 2 - index,
    refunded: 1,
    returnable: 1,
    shares: [5_030, 10_061],
  })),
  totals: {
    subtotal: 29_400,
    discount: 1,
    promo_code: "WELCOME",
    shipping: 895,
    tax: 856,
    tax_name: "Ohio",
    total: 31_150,
    taken: 31_150,
    refunded: 5_030,
    left: 26_120,
    shipping_left: 967,
  },
  attempts: [
    {
      number: 1,
      provider: "square",
      status: "declined",
      amount: 31_150,
      refunded: 0,
      with: "Card",
      decline: "CVV_FAILURE",
      at: "2026-11-21T12:00:00",
      tender: null,
    },
    {
      number: 2,
      provider: "square",
      status: "captured",
      amount: 31_150,
      refunded: 5_030,
      with: "Visa ending in 1111",
      decline: null,
      at: "2026-11-21T12:00:05",
      tender: null,
    },
  ],
  refunds: repeat(2, (index) => ({
    id: `refund-${index}`,
    amount: 5_030,
    status: index === 0 ? "settled" : "failed",
    reason: "A scratch",
    given_as: null,
    at: "2026-11-21T12:00:05",
    goods,
    shipping: index * 100,
    extra: index * 100,
  })),
  parcels: repeat(2, (index) => ({
    id: `parcel-${index}`,
    kind: "parcel",
    carrier: "UPS Ground",
    tracking_number: "1Z999",
    tracking_url: index === 0 ? "https://ups.example/1Z999" : null,
    adult_signature: true,
    label: true,
    at: "2026-11-21T12:00:05",
    delivered_at: index === 0 ? "2026-11-23T12:00:05" : null,
    goods,
  })),
  returns: repeat(2, (index) => ({
    id: `return-${index}`,
    status: index === 0 ? "requested" : "received",
    reason: "It does not fit",
    message: index === 0 ? "" : "It shows marks of use.",
    at: "2026-11-21T12:00:05",
    lines: [
      {
        line_id: "line-0",
        title: "Walnut pipe rack",
        quantity: 1,
        restocked: index,
        written_off: 0,
      },
    ],
  })),
  timeline: repeat(2, (index) => ({
    id: `entry-${index}`,
    at: "2026-11-21T12:00:05",
    who: "Sample Staff",
    text: "Note",
    note: index === 0 ? "Called about it." : null,
    is_public: index === 1,
  })),
  compliance: {
    decided_on: "2026-11-21",
    state: "OH",
    rules: [{ class: "smoking_accessory", source: "Shipping policy" }],
    age_proved_on: "2026-11-21",
    age_method: "declared",
  },
  letters: [{ label: "Order confirmation", mail: "placed", id: null }],
  acts: {
    note: true,
    ship: true,
    take_payment: true,
    make_ready: true,
    hand_over: true,
    deliver: true,
    cancel: true,
    refund: true,
    given_in_store: true,
    change_address: true,
    request_return: true,
    decide_return: true,
    clear_attention: true,
    archive: true,
  },
};

const draftLines: DraftView["lines"] = repeat(2, (index) => ({
  sku: `SAMPLE-${index}`,
  title: "Walnut pipe rack",
  variant: index === 0 ? "6 pipes" : "",
  quantity: 1 + index,
  unit_price: 4_900,
  price: 5_900,
}));
const draftAddress: DraftForm["address"] = {
  first_name: "Ada",
  last_name: "Sample",
  company: "",
  line1: "1 Example Street",
  line2: "",
  city: "Columbus",
  state: "OH",
  postal_code: "43215",
  phone: "",
};
const newOrder: NewOrderPage = {
  store_address: shared.company.address,
  takes_cards: true,
  draft: {
    number: "D-SAMPLE",
    version: 1,
    lines: draftLines,
    user_id: "user",
    email: "ada@example.com",
    phone: "614 555 0142",
    address: draftAddress,
    shipping_method: "ground",
    promo_code: "SAMPLE10",
    message: "As we said on the phone.",
  },
};
const draft: DraftView = {
  number: "D-SAMPLE",
  version: 1,
  state: "open",
  made: "2026-11-21T12:00:05",
  made_by: "Sample Admin",
  expires: "2026-11-28T23:59:59",
  mailed: "2026-11-21T12:00:05",
  user_id: "user",
  name: "Ada Sample",
  email: "ada@example.com",
  phone: "614 555 0142",
  address: draftAddress,
  delivery: "Ground",
  message: "As we said on the phone.",
  promo_code: "SAMPLE10",
  lines: draftLines,
  total: 16_282,
  quote: {
    lines: [],
    changes: [],
    problems: [{ code: "sold_out", id: "variant-0", message: "“Walnut pipe rack” is sold out." }],
    subtotal: 14_700,
    discount: 1_470,
    promo: { code: "SAMPLE10", label: "10% off" },
    shipping_options: [],
    shipping: 995,
    tax: 1_067,
    tax_name: "Sales tax",
    taxes: [{ name: "Sales tax", amount: 1_067 }],
    total: 15_292,
    adult_signature: true,
    held_up_by: [],
    payment_methods: ["square"],
  },
  link: "https://shop.example.com/checkout?draft=sample",
  order: { number: "SAMPLE-0", payment_status: "paid" },
  may_change: true,
};
const drafts: DraftsPage = {
  list: listOf("number", "made", "customer", "state", "order", "delivery", "expires", "total"),
  drafts: (["open", "placed", "expired", "withdrawn"] as const).map((state, index) => ({
    number: `D-SAMPLE-${index}`,
    made: "2026-11-21T12:00:05",
    expires: "2026-11-28T23:59:59",
    customer: "Ada Sample",
    email: "ada@example.com",
    state,
    delivery: "Ground",
    order: state === "placed" ? "SAMPLE-0" : null,
    payment: state === "placed" ? "paid" : null,
    total: 16_282,
  })),
};
const orders: OrdersPage = {
  list: listOf("number", "placed", "customer", "payment", "fulfillment", "status", "total"),
  orders: repeat(3, (index) => ({
    number: `SAMPLE-${index}`,
    placed: "2026-11-21T12:00:05",
    customer: "Ada Sample",
    email: "ada@example.com",
    status: "placed",
    payment: "paid",
    fulfillment: "unfulfilled",
    delivery: "Ground",
    attention: index === 0 ? "A refund was refused." : null,
    total: 11_771,
  })),
};

const unfinished: UnfinishedPage = {
  list: listOf(
    "number",
    "started",
    "customer",
    "phone",
    "goods",
    "why",
    "payment",
    "later",
    "total",
  ),
  checkouts: repeat(2, (index) => ({
    number: `SAMPLE-${index}`,
    started: "2026-11-21T12:00:05",
    customer: index === 0 ? "Ada Sample" : "",
    email: "ada@example.com",
    phone: "",
    goods: "2 × Walnut pipe rack",
    why: "The security code was wrong",
    payment: "failed",
    is_open: index === 0,
    later: index === 0 ? null : "7KQ2-M9XD",
    total: 11_771,
  })),
};

const guests: GuestsPage = {
  list: listOf("name", "email", "phone", "orders", "spent", "last"),
  guests: repeat(2, (index) => ({
    name: index === 0 ? "Ada Sample" : "",
    email: `ada-${index}@example.com`,
    phone: "",
    orders: 2,
    spent: 11_771,
    last: "2026-11-21T12:00:05",
    last_number: "7KQ2-M9XD",
  })),
};

const testing: TestingPage = {
  payment: "sandbox",
  is_mail_on: false,
  mail_to: "admin@shop.example",
  mail_kinds: [{ value: "test", label: "Plain test" }],
  events: repeat(2, (index) => ({
    provider: "square",
    event_id: `sample-${index}`,
    kind: "payment.updated",
    received: "2026-11-21T12:00:05",
    is_understood: index === 0,
    outcome: index === 0 ? "settled" : "",
  })),
};

const figures: Figures = {
  revenue: 123_450,
  taken: 130_000,
  refunded: 6_550,
  refunds: 1,
  orders: 21,
  units: 40,
  goods: 120_000,
  discounts: 5_000,
  shipping: 9_000,
  tax: 6_000,
  average_order: 6_190,
  conversion: 420,
  visits: 500,
  page_views: 2_400,
  mean_length: 184,
  median_length: 75,
  searches: 90,
  empty_searches: 7,
  products: 320,
  baskets: 80,
  checkouts: 34,
  buyers: 21,
  carts: 80,
  abandoned: 50,
  abandonment: 7_000,
  is_known: true,
};

const unknown: Figures = { ...figures, average_order: null, conversion: null, is_known: false };

const parts = repeat(7, (index) => ({
  first: `2026-11-${15 + index}`,
  last: `2026-11-${15 + index}`,
  now: figures,
  before: index < 3 ? unknown : figures,
}));

const overview: OverviewPage = {
  days: 7,
  periods: [1, 7, 30, 90],
  updated_at: "2026-11-21T12:00:05",
  now: figures,
  before: unknown,
  chart: parts,
  hands: repeat(2, (index) => ({
    kind: index === 0 ? "attention" : "dead_jobs",
    total: 9,
    href: index === 0 ? "/admin/orders?attention=yes" : null,
    items: repeat(2, () => ({
      label: "7KQ2-M9XD",
      why: "A payment has another amount than the order.",
      href: index === 0 ? "/admin/orders/7KQ2-M9XD" : null,
      at: "2026-11-21T12:00:05",
    })),
  })),
  low_stock: {
    total: 2,
    items: repeat(2, (index) => ({
      title: "Walnut pipe rack",
      variant: "Six",
      sku: `RACK-${index}`,
      href: "/admin/products/sample",
      available: index,
    })),
  },
  newest: repeat(2, (index) => ({
    number: `7KQ2-M9X${index}`,
    href: "/admin/orders/sample",
    placed_at: "2026-11-21T12:00:05",
    total: 6_190,
    payment_status: "paid" as const,
    fulfillment_status: "unfulfilled" as const,
  })),
};

const ranked = repeat(3, (index) => ({
  name: `sample ${index}`,
  events: 9 - index,
  visits: 5,
  empty: 1,
}));

const analytics: AnalyticsPage = {
  from: "2026-11-15",
  to: "2026-11-21",
  by: "day",
  compare: true,
  today: "2026-11-21",
  query: "from=2026-11-15&to=2026-11-21&by=day",
  presets: [{ link: { label: "7 days", href: "/admin/analytics?by=day" }, is_current: true }],
  now: figures,
  before: unknown,
  parts,
  pages: ranked.map((row, index) => ({ ...row, name: `/product/sample-${index}` })),
  features: ranked,
  searches: ranked,
  empty_searches: [],
  carts: [{ name: "add", events: 80, visits: 60, empty: 0 }],
  products: repeat(2, (index) => ({
    name: `Sample ${index}`,
    href: index === 0 ? null : "/admin/products/sample",
    units: 1 + index,
    amount: 5_900,
    share: 5_000,
  })),
  categories: [{ name: "Racks", href: "/category/racks", units: 3, amount: 11_800, share: null }],
};

const debug: DebugPage = {
  updated_at: "2026-11-21T12:00:05",
  version: "1.0.0",
  build: "0123456789abcdef",
  started_at: "2026-11-21T11:00:05",
  uptime: 3_600,
  switches: [
    { name: "Mail", is_on: true },
    { name: "Traffic beacon", is_on: false },
  ],
  renderer: {
    renders: 1_000,
    thrown: 0,
    timed_out: 0,
    out_of_memory: 0,
    overloaded: 0,
    queued: 1,
    ninety_percent: 1_000,
    isolates: repeat(2, () => ({
      state: "ready",
      renders: 500,
      restarts: 0,
      heap_used: 9_000_000,
      heap_total: 12_000_000,
      heap_limit: 256_000_000,
    })),
  },
  caches: [{ name: "Pages", entries: 12, bytes: 900_000 }],
  pictures_made: 3,
  database: "SQLite 3.50.4",
  pools: [{ name: "Writer", in_use: 0, idle: 1, most: 1 }],
  lanes: [
    { lane: "money", running: 2, slots: 16, waiting: 0, oldest: null, last_look: 1 },
    { lane: "mail", running: 8, slots: 8, waiting: 12, oldest: 95, last_look: null },
  ],
  jobs: repeat(2, (index) => ({
    id: `01234567-89ab-7def-8123-45678900000${index}`,
    name: "refund",
    state: index === 0 ? "dead" : "waiting",
    attempts: 60,
    at: "2026-11-21T12:00:05",
    error: index === 0 ? "The provider is away." : null,
  })),
  errors: [
    { at: "2026-11-21T12:00:05", target: "shop::web", message: "a page threw", detail: "stack: x" },
  ],
  config: "Config {}",
};

const promotions: PromotionsPage = {
  list: listOf("code", "benefit", "state", "used", "dates", "terms", "act"),
  codes: repeat(3, (index) => ({
    id: `promo-${index}`,
    code: `SAMPLE${index}`,
    kind: ["percent", "amount", "free_shipping"][index] ?? "percent",
    value: [1_250, 500, 0][index] ?? 0,
    min_subtotal: index * 1_000,
    starts_on: index === 0 ? null : "2026-11-01",
    ends_on: index === 2 ? "2026-12-31" : null,
    max_uses: index === 0 ? null : 100,
    used: index,
    once_per_customer: index === 0,
    active: index < 2,
    version: 1,
    state: ["active", "early", "off"][index] ?? "off",
    made_at: "2026-11-21T12:00:05",
  })),
};

const shippingSettings: ShippingSettingsPage = {
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

const phases = ["in_force", "coming", "past"] as const;
const dated = (index: number) => ({
  id: `dated-${index}`,
  valid_from: "2026-11-21",
  valid_until: index === 2 ? "2026-11-21" : null,
  source: "A law",
  phase: phases[index] ?? "past",
});

const taxSettings: TaxSettingsPage = {
  version: 1,
  today: "2026-11-21",
  home_state: "OH",
  home_county: "Franklin",
  rates: repeat(3, (index) => ({
    ...dated(index),
    state: "OH",
    county: index === 0 ? "" : "Franklin",
    rate: 57_500,
    taxes_shipping: index === 0,
  })),
  counties: [{ state: "NY", zip_codes: 12 }],
};

const complianceSettings: ComplianceSettingsPage = {
  version: 1,
  today: "2026-11-21",
  classes: [
    { code: "accessory", name: "Smoking accessory", is_reported: true, products: 1_200 },
    { code: "none", name: "Without rules", is_reported: false, products: 0 },
  ],
  rules: repeat(3, (index) => ({
    ...dated(index),
    class: "accessory",
    state: index === 0 ? "*" : "OH",
    may_ship: index === 0,
    may_pick_up: index === 0,
    may_pay_online: index === 0,
    adult_signature: true,
    ground_only: index === 1,
    reason: index === 0 ? "" : "Not to Ohio.",
    excise: { name: index === 0 ? "Sample excise" : "", ppm: 170_000, per_unit: 25 },
  })),
};

const legalSettings: LegalSettingsPage = {
  documents: [{ label: "Terms of Service", href: "/admin/settings/legal?document=sample" }],
  slug: "sample",
  href: "/content/legal/sample",
  today: "2026-11-21",
  title: "Terms of Service",
  body: "These are the terms of {{company}}.",
  draft_version: 1,
  editions: repeat(2, (index) => ({
    number: 1 - index,
    title: "Terms of Service",
    effective_from: "2026-11-01",
    is_in_force: index === 0,
    published_at: index === 0 ? "2026-11-01T12:00:00" : null,
    published_by: index === 0 ? "Sample Admin" : null,
  })),
};

const companyTexts = {
  name: "Sample Shop",
  email: "counter@shop.example",
  phone: "614 555 0142",
  address: "1 Sample Street",
  legal_line: "For adults.",
};
const companySettings: CompanySettingsPage = {
  version: 1,
  texts: { ...companyTexts, name: "" },
  defaults: companyTexts,
  place: "OH, Franklin County",
};

const reports: ReportsPage = {
  version: 1,
  year: 2026,
  years: [{ label: "2026", href: "/admin/settings/reports" }],
  months: repeat(2, (index) => ({
    month: "2026-11",
    state: ["OH", "NY"][index] ?? "OH",
    records: 12,
    quantity: 30,
    value: 129_900,
  })),
  classes: complianceSettings.classes,
};

const mailSettings: MailSettingsPage = {
  version: 1,
  kinds: repeat(2, (index) => ({
    kind: `sample_${index}`,
    label: `Sample ${index}`,
    placeholders: ["company", "email"],
    words: { subject: "", opening: index === 0 ? "Dear reader" : "", closing: "" },
  })),
};

const roles: RolesPage = {
  roles: ["staff", "admin", "super_admin"],
  permissions: [
    {
      permission: "see_shop",
      held_by: ["staff", "admin", "super_admin"],
      needs_fresh_sign_in: false,
    },
    { permission: "refund", held_by: ["admin", "super_admin"], needs_fresh_sign_in: true },
  ],
};

const endpoint = (index: number): EndpointView => ({
  id: `endpoint-${index}`,
  href: `/admin/settings/webhooks/endpoint-${index}`,
  name: `Sample ${index}`,
  url: "https://hooks.example/shop",
  events: index === 0 ? ["order.placed", "order.shipped"] : ["stock.low"],
  is_enabled: index < 2,
  off_why: index === 2 ? "gone" : null,
  failing_since: index === 1 ? "2026-11-21T12:00:05" : null,
  former_until: index === 0 ? "2026-11-22T12:00:05" : null,
  version: 1,
  made_at: "2026-11-21T12:00:05",
});

const eventChoices: EventChoice[] = [
  { kind: "order.placed", label: "An order is placed" },
  { kind: "return.approved", label: "A return is approved" },
  { kind: "product.updated", label: "A product is changed" },
  { kind: "stock.low", label: "Little is left of a variant" },
];

const dispatches = repeat(
  3,
  (index): DispatchEntry => ({
    id: `dispatch-${index}`,
    href: `/admin/settings/webhooks/log/dispatch-${index}`,
    at: "2026-11-21T12:00:05",
    kind: index === 0 ? "order.placed" : "stock.low",
    subject: index === 0 ? "7KQ2-M9XD" : "SAMPLE",
    endpoint: index === 2 ? null : "Sample",
    status: (["delivered", "failed", "waiting"] as const)[index] ?? "waiting",
    by_hand: index === 1,
    attempts: [1, 20, 0][index] ?? 0,
    last_code: [200, null, null][index] ?? null,
    last_error: index === 1 ? "No answer within 10 seconds." : null,
    last_at: index === 2 ? null : "2026-11-21T12:00:06",
  }),
);

const webhookDispatch: WebhookDispatchPage = {
  dispatch: dispatches[1] as DispatchEntry,
  endpoint_href: "/admin/settings/webhooks/endpoint-0",
  endpoint_is_enabled: true,
  subject_href: "/admin/products/sample",
  webhook_id: "01234567-89ab-7def-8123-456789abcdef",
  body: '{\n  "type": "stock.low"\n}',
  attempts: repeat(2, (index) => ({
    number: 2 - index,
    at: "2026-11-21T12:00:06",
    duration: 1_234,
    code: index === 0 ? null : 500,
    error: index === 0 ? "No answer within 10 seconds." : "It answered 500.",
    answer: index === 0 ? "" : "<b>Not today</b>",
  })),
  next_at: "2026-11-21T13:00:06",
};

const error: ErrorPage = { status: 404, message: "Page not found: /nowhere" };

function envelope(
  page: string,
  url: string,
  props: object,
  rest: Partial<Envelope> = {},
): Envelope {
  return { page, url, status: 200, props, shared, meta, ...rest };
}

export const samples: Envelope[] = [
  envelope("home", "/", home),
  envelope("catalog/list", "/category/racks?q=walnut&sort=price&page=2", list),
  envelope("catalog/product", "/product/sample", product),
  envelope("cart", "/cart", cart),
  envelope("checkout", "/checkout", checkout),
  envelope("checkout/confirm", "/checkout/confirm?link=sample", confirmPickup),
  envelope("orders/confirmation", "/order-confirmation?order=sample", confirmation),
  envelope("account", "/account", account),
  envelope("legal/document", "/content/legal/shipping-policy", document),
  envelope("age/refused", "/verify-age", refused, {
    status: 422,
    shared: { ...shared, age_verified: false },
  }),
  envelope("mail/test-email", "/test-email", testEmail),
  envelope("admin/overview", "/admin/overview", overview, { shared: { ...shared, staff } }),
  envelope("admin/analytics", "/admin/analytics?by=day", analytics, {
    shared: { ...shared, staff },
  }),
  envelope("admin/debug", "/admin/debug", debug, { shared: { ...shared, staff } }),
  envelope("admin/audit", "/admin/audit", audit, { shared: { ...shared, staff } }),
  envelope("admin/users", "/admin/users", users, { shared: { ...shared, staff } }),
  envelope("admin/user", "/admin/users/user", user, { shared: { ...shared, staff } }),
  envelope("admin/orders/new", "/admin/orders/new", newOrder, { shared: { ...shared, staff } }),
  envelope("admin/drafts", "/admin/orders/drafts", drafts, { shared: { ...shared, staff } }),
  envelope(
    "admin/draft",
    "/admin/orders/drafts/D-SAMPLE",
    { draft },
    { shared: { ...shared, staff } },
  ),
  envelope("admin/orders", "/admin/orders", orders, { shared: { ...shared, staff } }),
  envelope("admin/unfinished", "/admin/orders/unfinished", unfinished, {
    shared: { ...shared, staff },
  }),
  envelope("admin/guests", "/admin/users/guests", guests, { shared: { ...shared, staff } }),
  envelope("admin/settings", "/admin/settings", {}, { shared: { ...shared, staff } }),
  ...(["order", "packing-slip", "invoice"] as const).map((sheet) =>
    envelope(
      `admin/orders/${sheet}`,
      "/admin/orders/7KQ2-M9XD",
      { order: adminOrder },
      {
        shared: { ...shared, staff },
      },
    ),
  ),
  envelope("admin/testing", "/admin/testing", testing, { shared: { ...shared, staff } }),
  envelope("admin/products", "/admin/products", products, { shared: { ...shared, staff } }),
  envelope("admin/product", "/admin/products/sample", editor, { shared: { ...shared, staff } }),
  envelope("admin/product-groups", "/admin/products/groups", groups, {
    shared: { ...shared, staff },
  }),
  envelope("admin/product-import", "/admin/products/import", productImport, {
    shared: { ...shared, staff },
  }),
  envelope("admin/settings/promotions", "/admin/settings/promotions", promotions, {
    shared: { ...shared, staff },
  }),
  envelope("admin/settings/shipping", "/admin/settings/shipping", shippingSettings, {
    shared: { ...shared, staff },
  }),
  envelope("admin/settings/tax", "/admin/settings/tax", taxSettings, {
    shared: { ...shared, staff },
  }),
  envelope("admin/settings/compliance", "/admin/settings/compliance", complianceSettings, {
    shared: { ...shared, staff },
  }),
  envelope("admin/settings/legal", "/admin/settings/legal?document=sample", legalSettings, {
    shared: { ...shared, staff },
  }),
  envelope("admin/settings/company", "/admin/settings/company", companySettings, {
    shared: { ...shared, staff },
  }),
  envelope("admin/settings/reports", "/admin/settings/reports", reports, {
    shared: { ...shared, staff },
  }),
  envelope("admin/settings/roles", "/admin/settings/roles", roles, {
    shared: { ...shared, staff },
  }),
  envelope("admin/settings/mail", "/admin/settings/mail", mailSettings, {
    shared: { ...shared, staff },
  }),
  envelope(
    "admin/settings/webhooks",
    "/admin/settings/webhooks",
    { endpoints: repeat(3, endpoint), events: eventChoices } satisfies WebhooksPage,
    { shared: { ...shared, staff } },
  ),
  envelope(
    "admin/settings/webhook",
    "/admin/settings/webhooks/endpoint-1",
    {
      endpoint: endpoint(1),
      events: eventChoices,
      newest: dispatches,
      log_href: "/admin/settings/webhooks/log?endpoint=endpoint-1",
    } satisfies WebhookPage,
    { shared: { ...shared, staff } },
  ),
  envelope(
    "admin/settings/webhook-log",
    "/admin/settings/webhooks/log",
    {
      list: listOf("at", "event", "subject", "endpoint", "status", "answer", "attempts", "last_at"),
      dispatches,
    } satisfies WebhookLogPage,
    { shared: { ...shared, staff } },
  ),
  envelope(
    "admin/settings/webhook-dispatch",
    "/admin/settings/webhooks/log/dispatch-1",
    webhookDispatch,
    { shared: { ...shared, staff } },
  ),
  envelope("errors/error", "/nowhere", error, { status: 404 }),
];
