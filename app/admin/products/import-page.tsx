import { useState } from "react";
import { ApiError } from "../../lib/api";
import { formatTime } from "../../lib/format";
import { navigate } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type { ImportEntry, ProductImportPage as Props } from "../../lib/types";
import { AdminLayout } from "../layout";
import { PageHeader } from "../parts/page-header";
import { ScrollArea } from "../parts/scroll-area";
import { Tag, type TagLabels } from "../parts/tag";
import { ImportReport } from "./import-report";
import { upload, uploadProblem } from "./upload";

const STATES: TagLabels<ImportEntry["state"]> = {
  reading: ["Reading", "info"],
  checked: ["Not imported yet"],
  applying: ["Importing", "info"],
  applied: ["Imported", "good"],
  failed: ["Failed", "bad"],
  undoing: ["Undoing", "info"],
  undone: ["Undone"],
};

const PATH = "/admin/products/import";

/** Imports a CSV file: the server checks it line by line, then imports it product by product. An import can be undone. */
export default function ProductImportPage({ id, imports }: Props) {
  const [sent, setSent] = useState<number | null>(null);

  async function send(file: File): Promise<void> {
    setSent(0);
    try {
      const { id } = await upload(
        `/api/admin/products/imports?name=${encodeURIComponent(file.name)}`,
        file,
        "text/csv",
        setSent,
      );
      // On another page there may be unsaved input by now.
      if (location.pathname === PATH)
        await navigate(importHref(id), { replace: true, keepPosition: true });
      else
        addToast({
          severity: "info",
          summary: `${file.name} is uploaded.`,
          detail: "What it would change is shown under Products, Import.",
        });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      addToast({ severity: "error", summary: uploadProblem(error, "a CSV file of up to 32 MB") });
    } finally {
      setSent(null);
    }
  }

  return (
    <>
      <PageHeader title="Import products" links={[{ label: "Products", href: "/admin/products" }]}>
        {id && (
          <a className="button button-quiet" href={PATH}>
            Latest imports
          </a>
        )}
      </PageHeader>
      <section className="panel admin-form" aria-labelledby="file">
        <h2 id="file">File</h2>
        <p>
          A UTF-8 CSV file with Shopify’s product columns. Additional columns: Category (the last
          part of its address), Compliance Class, Subtitle, Material, Highlights, Details,
          Collections, Publish At. Keep the two columns of an exported file that end with “At
          Export”: only your changes of its quantities are imported then, and what was sold since
          stays sold.
          {
            " Images aren’t fetched from other sites. Columns you leave out keep their current values. "
          }
          <a href="/api/admin/products.csv" download>
            Export
          </a>{" "}
          gives you a file in this format.
        </p>
        <p>
          <label className="button button-primary">
            Choose file
            <input
              type="file"
              className="visually-hidden"
              accept=".csv,text/csv"
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file) void send(file);
                target.value = "";
              }}
            />
          </label>
        </p>
        {sent !== null && (
          <p className="upload-progress">
            <span>Uploading</span>
            <progress value={sent} aria-label="Uploading" />
          </p>
        )}
      </section>
      {id ? (
        sent === null && <ImportReport key={id} id={id} />
      ) : (
        <LatestImports imports={imports} />
      )}
    </>
  );
}

ProductImportPage.Layout = AdminLayout;

const importHref = (id: string) => `${PATH}?id=${id}`;

function LatestImports({ imports }: { imports: ImportEntry[] }) {
  if (imports.length === 0) return null;
  return (
    <section className="panel import-report" aria-labelledby="latest">
      <h2 id="latest">Latest imports</h2>
      <ScrollArea label="List of imports">
        <table className="admin-list">
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">State</th>
              <th scope="col">Date</th>
              <th scope="col">By</th>
            </tr>
          </thead>
          <tbody>
            {imports.map(({ id, file_name, state, at, actor }) => (
              <tr key={id}>
                <td>
                  <a href={importHref(id)}>{file_name || "A file"}</a>
                </td>
                <td>
                  <Tag of={STATES[state]} />
                </td>
                <td>
                  <time dateTime={at}>{formatTime(at)}</time>
                </td>
                <td>{actor || "Deleted account"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </section>
  );
}
