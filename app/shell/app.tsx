import { SharedContext } from "../lib/shared";
import { pauseToast, type Toast } from "../lib/toast";
import type { AgeRefusedPage, ListPage } from "../lib/types";
import type { View } from "../lib/view";
import { AgeGate } from "./age-gate";
import { Footer } from "./footer";
import { Header } from "./header";
import { Progress } from "./progress";
import { Toasts } from "./toasts";

/** Who reads a message, or is about to close it, does not lose it. */
const holdToast = ({ id }: Toast) => pauseToast(id);

/**
 * A page in its layout: the shop's, unless it has one of its own. Until the visitor is verified, all of the site lies inert under
 * the gate, the admin area too.
 */
export function App({ envelope, Page }: View) {
  const { page, url, props, shared } = envelope;
  const { Layout } = Page;
  const locked = !shared.age_verified;
  const refused = page === "age/refused" ? (props as AgeRefusedPage) : null;
  const query = page === "catalog/list" ? (props as ListPage).query.q : "";
  const content = <Page {...(props as object)} />;
  return (
    <SharedContext value={shared}>
      <div className="site" inert={locked}>
        {Layout ? (
          <Layout url={url}>{content}</Layout>
        ) : (
          <>
            <a className="skip-link" href="#main">
              Skip to content
            </a>
            <Header url={url} query={query} />
            <main id="main" tabIndex={-1}>
              {content}
            </main>
            <Footer />
          </>
        )}
      </div>
      {locked && <AgeGate refused={refused} url={url} />}
      <Toasts onHover={holdToast} />
      <Progress />
    </SharedContext>
  );
}
