import type { ComponentType, ReactNode } from "react";
import type { Envelope } from "./types";

/** The layout around a page. */
export type LayoutComponent = ComponentType<{ url: string; children: ReactNode }>;

/**
 * The component of one kind of page; the server pairs page names with props. Without a `Layout` of its own it is shown in
 * the shop's layout.
 */
// biome-ignore lint/suspicious/noExplicitAny: each page has its own props.
export type PageComponent = ComponentType<any> & { Layout?: LayoutComponent };

export type Pages = Record<string, () => Promise<{ default: PageComponent }>>;

export interface PageTable {
  shop: Pages;
  admin: () => Promise<{ pages: Pages }>;
}

/** Everything needed to show a page. */
export interface View {
  envelope: Envelope;
  Page: PageComponent;
}

/** The code of a page could not be loaded: usually a deployment has replaced the file. */
export class ChunkError extends Error {
  override name = "ChunkError";
}

export async function loadPage(pages: PageTable, name: string): Promise<PageComponent> {
  const load = pages.shop[name] ?? (await codeOf(name, pages.admin)).pages[name];
  if (!load) throw new Error(`Unknown page: ${name}`);
  return (await codeOf(name, load)).default;
}

async function codeOf<Code>(name: string, load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch (cause) {
    throw new ChunkError(`The code of page ${name} did not load`, { cause });
  }
}
