import { text } from "../../lib/form";
import { formatTime } from "../../lib/format";
import type { AdminOrder } from "../../lib/types";
import { useSave } from "../../lib/use-save";
import { staffCall } from "../call";
import { TextArea } from "./text-area";

export function TimelinePanel({ order }: { order: AdminOrder }) {
  const { timeline, acts } = order;
  return (
    <section className="panel" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      {acts.note && <NoteForm number={order.number} />}
      <ol className="order-timeline">
        {timeline.map(({ id, at, who, text, note, is_public }) => (
          <li key={id}>
            <p>{text}</p>
            {note && <blockquote>{note}</blockquote>}
            <small>
              <time dateTime={at}>{formatTime(at)}</time>
              {` · ${who}`}
              {is_public && " · visible to customer"}
            </small>
          </li>
        ))}
      </ol>
    </section>
  );
}

function NoteForm({ number }: { number: string }) {
  const { save, busy, about } = useSave(
    (form) =>
      staffCall(`/api/admin/orders/${number}/notes`, {
        method: "POST",
        body: { text: text(form, "text") },
      }),
    { summary: "Note added." },
  );
  return (
    <form
      method="post"
      className="admin-form order-note"
      onSubmit={(event) => {
        const form = event.currentTarget;
        const note = () => text(new FormData(form), "text");
        const sent = note();
        void save(event).then((saved) => {
          // What was written since stays.
          if (saved && note() === sent) form.reset();
        });
      }}
    >
      <TextArea name="text" label="Staff note" problem={about("text")} />
      <button type="submit" className="button button-quiet" aria-disabled={busy}>
        Add note
      </button>
    </form>
  );
}
