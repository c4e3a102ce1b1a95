import { useState } from "react";
import { call } from "../../lib/api";
import { formatTime } from "../../lib/format";
import { refresh } from "../../lib/navigation";
import { addToast } from "../../lib/toast";
import type { JobView, LaneView, DebugPage as Props } from "../../lib/types";
import { staffCall, tellFailure } from "../call";
import { AdminLayout } from "../layout";
import { Dialog } from "../parts/dialog";
import { countOf } from "../parts/list";
import { PageHeader } from "../parts/page-header";
import { duration, whole } from "../reports/format";
import { keyed } from "../reports/keyed";
import { LiveNote } from "../reports/live-note";
import { useLive } from "../reports/use-live";
import { Table } from "./table";

const MIB = 1024 * 1024;
const megabytes = (bytes: number) => `${(bytes / MIB).toFixed(1)} MiB`;

export default function DebugPage(initial: Props) {
  const [page, live] = useLive((signal) => call("/api/admin/debug", { signal }), initial);
  const { renderer, caches, kept_pages, listing, pools } = page;
  const pace =
    renderer.ninety_percent === null
      ? "fewer than 90% within 256 ms"
      : `90% within ${renderer.ninety_percent / 1_000} ms`;
  const errors = keyed(page.errors, ({ at, target, message }) => `${at} ${target} ${message}`);
  return (
    <>
      <PageHeader title="Debug" note={<LiveNote live={live} updatedAt={page.updated_at} />} />
      <div className="report-grid">
        <section className="panel">
          <h2>This node</h2>
          <Table
            label="This node"
            head={["What", "Value"]}
            rows={[
              ["Version", page.version],
              ["App build", page.build],
              ["Started", formatTime(page.started_at)],
              ["Uptime", duration(page.uptime)],
              ["Database", page.database],
              ...page.switches.map(({ name, is_on }) => [name, is_on ? "On" : "Off"]),
            ]}
          />
        </section>
        <section className="panel">
          <h2>Isolates</h2>
          <Table
            label="Isolates"
            head={["Isolate", "Renders", "Restarts", "Heap"]}
            rows={renderer.isolates.map((isolate, index) => [
              `${index + 1}: ${isolate.state}`,
              whole(isolate.renders),
              whole(isolate.restarts),
              `${megabytes(isolate.heap_used)} of ${megabytes(isolate.heap_limit)}`,
            ])}
          />
          <p className="report-note">
            {`${countOf(renderer.renders, "page")} rendered, ${pace}; ${whole(renderer.queued)} waiting now. Failed: ${whole(renderer.thrown)} threw an error, ${whole(
              renderer.timed_out,
            )} timed out, ${whole(renderer.out_of_memory)} ran out of memory, ${whole(
              renderer.overloaded,
            )} were rejected.`}
          </p>
        </section>
        <section className="panel">
          <h2>Caches</h2>
          <Table
            label="Caches"
            head={["Cache", "Entries", "Size"]}
            rows={caches.map(({ name, entries, bytes }) => [
              name,
              whole(entries),
              megabytes(bytes),
            ])}
          />
          <p className="report-note">
            {`Pages of the shop since startup: ${whole(kept_pages.kept)} sent as kept, ${whole(kept_pages.confirmed)} kept after a change that did not concern them, ${whole(kept_pages.rendered)} rendered, ${whole(kept_pages.refused)} refused because too many were asked for at once.`}
          </p>
          <p className="report-note">
            {`Lists of ${whole(listing.products)} products since startup: updated ${countOf(listing.updates, "time")}, the last time in ${whole(listing.updated_in)} ms; loaded again ${countOf(listing.loads, "time")}, the last time in ${whole(listing.loaded_in)} ms.`}
          </p>
          <p className="report-note">{`${countOf(page.pictures_made, "image rendition")} created since startup.`}</p>
        </section>
        <section className="panel">
          <h2>Database connections</h2>
          <Table
            label="Database connections"
            head={["Pool", "In use", "Idle", "Max"]}
            rows={pools.map(({ name, in_use, idle, most }) => [
              name,
              whole(in_use),
              whole(idle),
              whole(most),
            ])}
          />
        </section>
        <section className="panel report-wide">
          <h2>Jobs</h2>
          <Table
            label="Lanes"
            head={[
              "Lane",
              "Running on this node",
              "Waiting",
              "Oldest overdue by",
              "Dead",
              "Last checked",
            ]}
            rows={page.lanes.map(({ lane, running, slots, waiting, oldest, dead, last_look }) => [
              lane,
              `${whole(running)} of ${whole(slots)}`,
              whole(waiting),
              oldest === null ? "" : duration(oldest),
              whole(dead),
              last_look === null ? "Never" : `${duration(last_look)} ago`,
            ])}
          />
          <Jobs jobs={page.jobs} mails={page.lanes.find(({ lane }) => lane === "mail")} />
        </section>
        <section className="panel report-wide">
          <h2>Errors since startup</h2>
          {errors.length === 0 && <p className="report-note">None.</p>}
          <ol className="debug-errors">
            {errors.map(([key, { at, target, message, detail }]) => (
              <li key={key}>
                <details>
                  <summary>
                    <time dateTime={at}>{formatTime(at)}</time> {message}
                  </summary>
                  <small>{target}</small>
                  <pre>{detail}</pre>
                </details>
              </li>
            ))}
          </ol>
        </section>
        <section className="panel report-wide">
          <h2>Configuration</h2>
          <details>
            <summary>Show the loaded configuration, without secrets</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard. */}
            <pre className="debug-config" tabIndex={0}>
              {page.config}
            </pre>
          </details>
        </section>
      </div>
    </>
  );
}

DebugPage.Layout = AdminLayout;

const TONES: Record<string, string> = { dead: "bad", failed: "warn", running: "info" };

interface JobsProps {
  jobs: JobView[];
  /** The lane of emails. */
  mails: LaneView | undefined;
}

function Jobs({ jobs, mails }: JobsProps) {
  const [discarding, setDiscarding] = useState<JobView | null>(null);
  const [isRetrying, setIsRetrying] = useState(false);
  const [busy, setBusy] = useState(false);

  /** `send` returns what has been done. The button is that of a dialog, which closes then. */
  async function act(send: () => Promise<string>, button?: HTMLElement): Promise<void> {
    setBusy(true);
    try {
      const done = await send();
      await refresh();
      addToast({ severity: "success", summary: done, life: 5_000 });
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
      // It may be closed by now, and another one open.
      if (button?.isConnected) {
        setDiscarding(null);
        setIsRetrying(false);
      }
    }
  }

  const retry = ({ id }: JobView) =>
    act(async () => {
      await staffCall(`/api/admin/jobs/${id}/retry`, { method: "POST" });
      return "Job queued to run again.";
    });
  const retryMails = (button: HTMLElement) =>
    act(async () => {
      const { count } = await staffCall("/api/admin/mails/retry", { method: "POST" });
      return `Emails queued to be sent again: ${whole(count)}.`;
    }, button);
  const discard = ({ id }: JobView, button: HTMLElement) =>
    act(async () => {
      await staffCall(`/api/admin/jobs/${id}`, { method: "DELETE" });
      return "Job discarded.";
    }, button);

  const acts = (job: JobView) =>
    job.state === "dead" ? (
      <span className="admin-acts">
        <button
          type="button"
          className="link"
          aria-label={`Retry ${job.name}`}
          aria-disabled={busy}
          onClick={() => void retry(job)}
        >
          Retry
        </button>
        <button
          type="button"
          className="link"
          aria-label={`Discard ${job.name}`}
          onClick={() => setDiscarding(job)}
        >
          Discard
        </button>
      </span>
    ) : (
      ""
    );
  return (
    <>
      {mails?.dead_since && (
        <div className="admin-acts">
          <button type="button" className="button" onClick={() => setIsRetrying(true)}>
            Retry all failed emails
          </button>
        </div>
      )}
      <Table
        label="Jobs"
        head={["Job", "State", "Attempts", "Due or failed", "Last error", "Actions"]}
        keys={jobs.map(({ id }) => id)}
        rows={jobs.map((job) => [
          job.name,
          <span key="state" className="tag" data-tone={TONES[job.state]}>
            {job.state}
          </span>,
          whole(job.attempts),
          formatTime(job.at),
          job.error ?? "",
          acts(job),
        ])}
      />
      <Dialog
        title="Retry all failed emails?"
        open={isRetrying && mails?.dead_since != null}
        onClose={() => setIsRetrying(false)}
      >
        <p>{`Emails that were given up: ${whole(mails?.dead ?? 0)}, the first on ${formatTime(mails?.dead_since ?? "")}. Each is sent to its recipient. Discard first what is no longer of use.`}</p>
        <div className="admin-dialog-acts">
          <button
            type="button"
            className="button"
            aria-disabled={busy}
            onClick={({ currentTarget }) => void retryMails(currentTarget)}
          >
            Retry all
          </button>
        </div>
      </Dialog>
      <Dialog
        title="Discard this job?"
        open={discarding !== null}
        onClose={() => setDiscarding(null)}
      >
        <p>{`${discarding?.name} will never run. This can’t be undone.`}</p>
        <div className="admin-dialog-acts">
          <button
            type="button"
            className="button button-danger"
            aria-disabled={busy}
            onClick={({ currentTarget }) => {
              if (discarding) void discard(discarding, currentTarget);
            }}
          >
            Discard
          </button>
        </div>
      </Dialog>
    </>
  );
}
