import { SharedContext } from "../lib/shared";
import type { AgeRefusedPage, ListPage } from "../lib/types";
import type { View } from "../lib/view";
import { AgeGate } from "./age-gate";
import { Footer } from "./footer";
import { Header } from "./header";
import { Progress } from "./progress";
import { Toasts } from "./toasts";

/** A message does not disappear while it is hovered or focused. */
const pauseOnHover = (pause: () => void) => pause();

/**
 * A page in its layout: its own or the shop's. Until the visitor is verified, the whole site, including the admin area, is
 * inert behind the age gate.
 */
export function App({ envelope, Page }: View) {
  const { page, url, props, shared } = envelope;
  const { Layout } = Page;
  const locked = !shared.age_verified;
  const refused = page === "age/refused" ? (props as AgeRefusedPage) : null;
  const query = page === "catalog/list" ? (props as ListPage).q : "";
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
              {/* With scripts it is a toast. */}
              {shared.notice && (
                <p className="wrap nothing needs-no-scripts" role="status">
                  {shared.notice.summary}
                </p>
              )}
              {content}
            </main>
            <Footer />
          </>
        )}
      </div>
      {locked && <AgeGate refused={refused} url={url} />}
      <Toasts onHover={pauseOnHover} />
      <Progress />
    </SharedContext>
  );
}
