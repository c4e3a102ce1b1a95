// The page envelope and everything it carries, as the server writes it.

export interface Envelope {
  /** Key of the page table (`app/pages.ts`). */
  page: string;
  /** Path and query, normalised by the server: what the address bar should show. */
  url: string;
  status: number;
  props: unknown;
  shared: Shared;
  meta: Meta;
}

export interface Shared {
  /** Build id of the client bundle that belongs to this answer. */
  build: string;
  company: Company;
  /** Scheme, host and port under which the shop is public. */
  origin: string;
  currency: "USD";
  demo: boolean;
  age_verified: boolean;
  /** Today in the shop's time zone, YYYY-MM-DD. */
  max_birth_date: string;
  menu: MenuItem[];
  beacon: Beacon | null;
  api_base: string | null;
  dev: boolean;
}

export interface Company {
  name: string;
  legal_line: string;
  email: string;
  phone: string;
  address: string;
}

export interface MenuItem {
  label: string;
  href: string;
  children: Link[];
}

export interface Beacon {
  token: string;
  site: string;
}

export interface Meta {
  title: string;
  description: string;
  canonical: string | null;
  robots: string | null;
  image: string | null;
  json_ld: object[];
  preload: { src: string; sizes: string } | null;
}

export interface Money {
  /** Minor units (cents). */
  amount: number;
  currency: string;
}

export interface Picture {
  /** Base path; a rendition is `${src}-${width}.avif` or `.webp`. */
  src: string;
  alt: string;
  width: number;
  height: number;
}

export interface Link {
  label: string;
  href: string;
}

export type Availability = "in_stock" | "low_stock" | "out_of_stock";

export interface ProductCard {
  id: string;
  title: string;
  href: string;
  category: string;
  price: Money;
  compare_at_price: Money | null;
  price_varies: boolean;
  picture: Picture;
  availability: Availability;
  badge: "new" | "sale" | null;
  colours: { label: string; hex: string }[];
}

export interface CategoryCard {
  name: string;
  href: string;
  description: string;
  count: number;
  picture: Picture | null;
}

export interface HomePage {
  hero: { picture: Picture | null; product: Link | null };
  categories: CategoryCard[];
  new_arrivals: ProductCard[];
  on_sale: ProductCard[];
  featured: { title: string; description: string; href: string; items: ProductCard[] } | null;
}

export interface ListPage {
  heading: string;
  description: string;
  /** Path that the filter form GETs. */
  action: string;
  breadcrumbs: Link[];
  children: CategoryCard[];
  query: { q: string; sort: string; page: number };
  hidden: { name: string; value: string }[];
  total: number;
  page_count: number;
  items: ProductCard[];
  sorts: SortOption[];
  facets: Facet[];
  price: PriceRange;
  /** Each `href` removes that filter. */
  active: Link[];
  clear_href: string;
  pages: { label: string; href: string; current: boolean }[];
  prev_href: string | null;
  next_href: string | null;
  did_you_mean: Link | null;
}

export interface SortOption {
  value: string;
  label: string;
  href: string;
  selected: boolean;
}

export interface Facet {
  /** Query parameter. */
  key: string;
  label: string;
  options: FacetOption[];
}

export interface FacetOption {
  value: string;
  label: string;
  count: number;
  selected: boolean;
  /** Toggles the option. */
  href: string;
  hex: string | null;
}

export interface PriceRange {
  /** Minor units, as the three below. */
  min: number;
  max: number;
  selected_min: number | null;
  selected_max: number | null;
}

export interface ProductPage {
  id: string;
  title: string;
  subtitle: string;
  /** Paragraphs. */
  description: string[];
  highlights: string[];
  details: { label: string; value: string }[];
  breadcrumbs: Link[];
  pictures: Picture[];
  options: ProductOption[];
  variants: ProductVariant[];
  /** Sku of the chosen variant. */
  selected: string;
  related: ProductCard[];
  restriction: string;
}

export interface ProductOption {
  name: string;
  values: { value: string; hex: string | null }[];
}

export interface ProductVariant {
  id: string;
  sku: string;
  title: string;
  /** One value per option of the product, in the same order. */
  options: string[];
  price: Money;
  compare_at_price: Money | null;
  availability: Availability;
  /** Pieces left; only told when few are. */
  left: number | null;
  max_quantity: number;
  /** Index into the product's pictures. */
  picture: number;
  href: string;
}

export interface LegalPage {
  title: string;
  /** YYYY-MM-DD */
  updated: string;
  /** Trusted: made from the shop's own Markdown. */
  html: string;
  toc: { id: string; label: string }[];
  documents: Link[];
}

export interface AgeRefusedPage {
  error: string;
  return_to: string;
}

export interface ErrorPage {
  status: number;
  message: string;
}

export interface Suggestions {
  products: { title: string; href: string; price: Money; picture: Picture }[];
  categories: Link[];
  terms: string[];
}
