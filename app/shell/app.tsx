import { SharedContext } from "../lib/shared";
import type { AgeRefusedPage, ListPage } from "../lib/types";
import type { View } from "../lib/view";
import { AgeGate } from "./age-gate";
import { Footer } from "./footer";
import { Header } from "./header";
import { Progress } from "./progress";
import { Toasts } from "./toasts";

/**
 * A page in its layout: the shop's, unless it has one of its own. Until the visitor is verified, all of the shop lies inert under
 * the gate.
 */
export function App({ envelope, Page }: View) {
  const { page, url, props, shared } = envelope;
  const { Layout } = Page;
  if (Layout) {
    return (
      <SharedContext value={shared}>
        <Layout url={url}>
          <Page {...(props as object)} />
        </Layout>
        <Toasts />
        <Progress />
      </SharedContext>
    );
  }
  const locked = !shared.age_verified;
  const refused = page === "age/refused" ? (props as AgeRefusedPage) : null;
  const query = page === "catalog/list" ? (props as ListPage).query.q : "";
  return (
    <SharedContext value={shared}>
      <div className="site" inert={locked}>
        <a className="skip-link" href="#main">
          Skip to content
        </a>
        <Header url={url} query={query} />
        <main id="main" tabIndex={-1}>
          <Page {...(props as object)} />
        </main>
        <Footer />
      </div>
      {locked && <AgeGate refused={refused} url={url} />}
      <Toasts />
      <Progress />
    </SharedContext>
  );
}
