import { useState } from "react";
import type { MailKindView, MailPreview, MailSettingsPage as Props } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field, Labeled } from "../../ui/field";
import { Icon } from "../../ui/icon";
import { staffCall } from "../call";
import { AdminLayout } from "../layout";
import { Dialog } from "../parts/dialog";
import { SettingsLayout } from "./settings-layout";
import { ChangeErrors, useChange } from "./use-change";

const PATH = "/admin/settings/mail";

export default function MailPage({ version, kinds }: Props) {
  return (
    <SettingsLayout path={PATH} title="Emails">
      <p className="settings-lead">
        Add your own words to the emails the shop sends. A blank subject uses the built-in one;
        opening and closing are added to the built-in text.
      </p>
      <div className="settings-sheet">
        {kinds.map((kind) => (
          <Kind key={kind.kind} version={version} {...kind} />
        ))}
      </div>
    </SettingsLayout>
  );
}

MailPage.Layout = AdminLayout;

const TEXTS = [
  ["opening", "Opening"],
  ["closing", "Closing"],
] as const;

const NO_WORDS: MailKindView["words"] = { subject: "", opening: "", closing: "" };

function Kind({ version, kind, label, placeholders, words }: MailKindView & { version: number }) {
  const change = useChange({ version, content: words });
  const [draft, setDraft] = useState(words);
  const [preview, setPreview] = useState<MailPreview | null>(null);
  const [restoring, setRestoring] = useState(false);
  const stopRestoring = () => setRestoring(false);
  const save = (next: MailKindView["words"]) => {
    setDraft(next);
    return change.send(
      () =>
        staffCall(`/api${PATH}/${kind}`, {
          method: "PUT",
          body: { version: change.version, words: next },
        }),
      `${label} email saved.`,
    );
  };
  const showPreview = async () =>
    setPreview(await staffCall(`/api${PATH}/${kind}/preview`, { method: "POST", body: draft }));
  const isOwn = Object.values(words).some((text) => text !== "");
  return (
    <details className="panel settings-kind">
      <summary>
        <b>{label}</b>
        {isOwn && (
          <span className="tag" data-tone="info">
            Changed
          </span>
        )}
        <Icon name="chevron" />
      </summary>
      <form
        method="post"
        ref={change.form}
        className="admin-form settings-mail"
        noValidate
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault();
          void save(draft);
        }}
      >
        <ChangeErrors change={change} fields={["subject", "opening", "closing"]} />
        <Field
          name="subject"
          label="Subject"
          hint={`You can use ${placeholders.map((name) => `{{${name}}}`).join(", ")}.`}
          value={draft.subject}
          onChange={(event) => setDraft({ ...draft, subject: event.currentTarget.value })}
          problem={change.about("subject")}
        />
        {TEXTS.map(([name, title]) => (
          <Labeled key={name} label={title} problem={change.about(name)}>
            {(control) => (
              <textarea
                className="input"
                value={draft[name]}
                onChange={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
                {...control}
              />
            )}
          </Labeled>
        ))}
        <div className="admin-acts">
          <Button type="submit" aria-disabled={change.busy}>
            Save email
          </Button>
          <button
            type="button"
            className="button button-quiet"
            aria-disabled={change.busy}
            onClick={() => void change.ask(showPreview, "Preview opened.")}
          >
            Preview
          </button>
          {isOwn && (
            <button
              type="button"
              className="link"
              aria-disabled={change.busy}
              onClick={() => setRestoring(true)}
            >
              Restore built-in text
            </button>
          )}
        </div>
      </form>
      <Dialog
        title={preview?.subject ?? ""}
        open={preview !== null}
        wide
        onClose={() => setPreview(null)}
      >
        <pre className="settings-plain">{preview?.text}</pre>
      </Dialog>
      <Dialog title="Restore the built-in text?" open={restoring} onClose={stopRestoring}>
        <p>
          Your subject, opening, and closing are deleted, and emails use the built-in text right
          away. This can’t be undone.
        </p>
        <div className="admin-dialog-acts">
          <button type="button" className="button button-quiet" onClick={stopRestoring}>
            Keep your words
          </button>
          <button
            type="button"
            className="button button-danger"
            aria-disabled={change.busy}
            onClick={() => void save(NO_WORDS).finally(stopRestoring)}
          >
            Restore built-in text
          </button>
        </div>
      </Dialog>
    </details>
  );
}
