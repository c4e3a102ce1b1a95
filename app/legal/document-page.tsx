import { useMemo } from "react";
import { formatDate } from "../lib/format";
import { trusted } from "../lib/trusted";
import type { LegalPage } from "../lib/types";

export default function DocumentPage({ title, updated, html, toc, documents }: LegalPage) {
  // React replaces what is shown when this is another object.
  const safe = useMemo(() => trusted.createHTML(html), [html]);
  return (
    <article className="legal wrap">
      <header className="legal-head">
        <p className="label">The fine print</p>
        <h1>{title}</h1>
        <p>
          Last updated <time dateTime={updated}>{formatDate(updated)}</time>
        </p>
      </header>
      <div className="legal-side">
        <nav aria-labelledby="legal-contents">
          <h2 id="legal-contents" className="label">
            On this page
          </h2>
          <ol>
            {toc.map(({ id, label }) => (
              <li key={id}>
                <a href={`#${id}`}>{label}</a>
              </li>
            ))}
          </ol>
        </nav>
        <nav aria-labelledby="legal-documents">
          <h2 id="legal-documents" className="label">
            All documents
          </h2>
          <ul>
            {documents.map(({ label, href, current }) => (
              <li key={href}>
                <a href={href} aria-current={current ? "page" : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the server from the shop's own Markdown. */}
      <div className="prose" dangerouslySetInnerHTML={{ __html: safe }} />
    </article>
  );
}
