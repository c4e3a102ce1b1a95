import { useEffect, useState } from "react";
import { useShared } from "../../lib/shared";
import { timeLimit } from "../../lib/timers";
import type { Envelope, ProductEditorPage } from "../../lib/types";

interface Latest {
  page: ProductEditorPage;
  title: string | undefined;
}

/** The page of a product as it is now; null unless it is answered, and by this build. */
export async function fetchPage(id: string, build: string): Promise<Latest | null> {
  try {
    // Without `lib/payload`: shared with the editor, it would be one more file for every shopper.
    const response = await fetch(`/admin/products/${id}/_payload.json`, {
      headers: { accept: "application/json" },
      signal: timeLimit(),
    });
    const { status, shared, props, meta }: Envelope = await response.json();
    if (status !== 200 || shared.build !== build) return null;
    return { page: props as ProductEditorPage, title: meta?.title };
  } catch {
    return null;
  }
}

/**
 * What the editor's page has beside the product, such as its history, and a function that fetches it again. Unlike a refresh,
 * that never replaces the page with an error or reloads it: unsaved input would be lost.
 */
export function useLatestPage(
  given: ProductEditorPage,
): [ProductEditorPage, (id: string) => Promise<void>] {
  const { build } = useShared();
  const { categories } = given;
  const [latest, setLatest] = useState<(Latest & { since: typeof categories }) | null>(null);
  useEffect(() => {
    if (latest?.title) document.title = latest.title;
  }, [latest]);
  async function update(id: string): Promise<void> {
    const fetched = await fetchPage(id, build);
    if (fetched) setLatest({ ...fetched, since: categories });
  }
  // A page that was refreshed since is newer.
  return [latest?.since === categories ? latest.page : given, update];
}
