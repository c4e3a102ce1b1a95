import { useState } from "react";
import { formatTime } from "../../lib/format";
import { addToast } from "../../lib/toast";
import type { AuditEntry, AuditPage as Props } from "../../lib/types";
import { staffCall, tellFailure } from "../call";
import { AdminLayout } from "../layout";
import { count, countOf, List } from "../parts/list";
import { PageHeader } from "../parts/page-header";
import { actionText, changedFields, shortened } from "./changes";
import { verify } from "./verify";

export default function AuditPage({ list, searched, entries }: Props) {
  return (
    <>
      <PageHeader title="Audit log">
        <VerifyLog />
      </PageHeader>
      {searched !== null && (
        <p className="field-hint">
          {`Searched the newest ${count(searched)} entries. Choose earlier days or one kind to search others.`}
        </p>
      )}
      <List
        label="Audit log"
        list={list}
        rows={entries}
        id={({ seq }) => String(seq)}
        cell={cell}
        personalCsv="/api/admin/audit.csv"
        searchLabel="Search by action or name"
        empty="No changes yet."
      />
    </>
  );
}

AuditPage.Layout = AdminLayout;

function cell(entry: AuditEntry, column: string) {
  switch (column) {
    case "at":
      return <time dateTime={entry.at}>{formatTime(entry.at)}</time>;
    case "actor":
      return (
        <>
          {entry.actor || "Deleted account"}
          <small>{entry.role.replace("_", " ")}</small>
        </>
      );
    case "action":
      return (
        <>
          {actionText(entry.action)}
          <code>{entry.action}</code>
        </>
      );
    case "subject": {
      const label = entry.label || entry.kind;
      return entry.href ? <a href={entry.href}>{label}</a> : label;
    }
    case "changes":
      return <Changes before={entry.before} after={entry.after} />;
    default:
      return entry.from;
  }
}

/** Every changed field with its old and new value. */
function Changes({ before, after }: { before: unknown; after: unknown }) {
  return (
    <dl className="changes">
      {changedFields(before, after).map(({ name, before, after }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {before !== null && <del>{shortened(before)}</del>}
            {after !== null && <ins>{shortened(after)}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Verifies on the server that no log entry was altered. */
function VerifyLog() {
  // While it is verified: the number of entries so far.
  const [verified, setVerified] = useState<number | null>(null);
  async function check(): Promise<void> {
    setVerified(0);
    try {
      const ask = (query: string) =>
        staffCall(`/api/admin/audit/chain?${query}`, { timeout: 30_000 });
      const { is_sound, seq, head } = await verify(ask, setVerified);
      addToast(
        is_sound
          ? {
              severity: "success",
              summary: `The log is intact: ${countOf(seq, "entry", "entries")}.`,
              detail: head ? `The last hash starts with ${head.slice(0, 16)}.` : "",
            }
          : {
              severity: "error",
              summary: `Entry ${count(seq)} is missing or was altered.`,
              detail:
                "Either someone changed the database directly, or it lost its last entries, as after a failover. Compare it with the server log.",
            },
      );
    } catch (error) {
      tellFailure(error);
    } finally {
      setVerified(null);
    }
  }
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-disabled={verified !== null}
      onClick={() => void check()}
    >
      {verified ? `Verified ${count(verified)} entries…` : "Verify log"}
    </button>
  );
}
