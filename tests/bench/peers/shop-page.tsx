// The shop's own components, which every peer hosts.
import ListPage from "../../../app/catalog/list-page";
import ProductPage from "../../../app/catalog/product-page";
import type { Envelope } from "../../../app/lib/types";
import type { PageComponent } from "../../../app/lib/view";
import { App } from "../../../app/shell/app";

const pages: Record<string, PageComponent> = {
  "catalog/list": ListPage,
  "catalog/product": ProductPage,
};

export function ShopPage({ envelope }: { envelope: Envelope }) {
  const Page = pages[envelope.page];
  if (!Page) throw new Error(`No component for ${envelope.page}`);
  return <App envelope={envelope} Page={Page} />;
}
