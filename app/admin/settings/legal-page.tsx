import { useState } from "react";
import { formatDate, formatTime } from "../../lib/format";
import { trusted } from "../../lib/trusted";
import type { EditionView, LegalSettingsPage as Props, TextPreview } from "../../lib/types";
import { Button } from "../../ui/button";
import { Field, Labeled } from "../../ui/field";
import { staffCall, tellFailure } from "../call";
import { AdminLayout } from "../layout";
import { useBaseVersion } from "../parts/base-version";
import { Dialog } from "../parts/dialog";
import { mayLeave } from "../parts/unsaved";
import { SettingsLayout } from "./settings-layout";
import { type Change, ChangeErrors, useChange } from "./use-change";

const PATH = "/admin/settings/legal";

export default function LegalPage(props: Props) {
  const { documents, slug } = props;
  // How often the draft has been replaced or removed.
  const [replaced, setReplaced] = useState(0);
  return (
    <SettingsLayout path={PATH} title="Legal texts">
      <nav className="settings-documents" aria-label="Documents">
        {documents.map(({ label, href }) => (
          <a key={href} href={href} aria-current={href.endsWith(`=${slug}`) ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {/* The key resets the form for another document, or another text as its draft. */}
      <LegalText
        key={`${slug} ${replaced}`}
        {...props}
        onReplace={() => setReplaced((before) => before + 1)}
      />
    </SettingsLayout>
  );
}

LegalPage.Layout = AdminLayout;

interface LegalTextProps extends Props {
  /** Called when the draft is another text, or gone. */
  onReplace: () => void;
}

/** What is done to the draft. */
interface Draft extends Change {
  /** The newest listed version when the editor's text was loaded: what a first draft is based on, which has no version yet. */
  edition: number;
}

function useDraft({ draft_version, title, body, editions }: Props): Draft {
  const change = useChange({ version: draft_version, content: { title, body } });
  const newest = editions[0]?.number ?? 0;
  // A refresh alone never moves it.
  const [edition, moveEdition] = useBaseVersion(newest, newest);
  return {
    ...change,
    edition,
    async send(call, done) {
      const isDone = await change.send(call, done);
      if (isDone) moveEdition();
      return isDone;
    },
    reload: () => change.reload().then(moveEdition),
    moveToLatest() {
      change.moveToLatest();
      moveEdition();
    },
  };
}

/** The editor and the versions. What either does to the draft is based on the text that the editor shows. */
function LegalText(props: LegalTextProps) {
  const { slug, editions, onReplace } = props;
  const draft = useDraft(props);
  return (
    <div className="settings-columns">
      <Editor {...props} change={draft} />
      <section className="panel" aria-labelledby="editions">
        <h2 id="editions">Versions</h2>
        <ul className="settings-editions">
          {editions.map((edition) => (
            <Edition
              key={edition.number}
              edition={edition}
              slug={slug}
              draft={draft}
              onRestore={onReplace}
            />
          ))}
        </ul>
      </section>
    </div>
  );
}

function Editor(props: LegalTextProps & { change: Draft }) {
  const { slug, href, today, title, body, draft_version, editions, change, onReplace } = props;
  const [text, setText] = useState({ title, body });
  const [preview, setPreview] = useState<TextPreview | null>(null);
  const [publishing, setPublishing] = useState(false);
  const [discarding, setDiscarding] = useState(false);
  const [next] = scheduled(editions);
  const isSaved = text.title.trim() === title && text.body === body;
  const mayPublish = isSaved && draft_version > 0;
  const save = () =>
    change.send(
      () =>
        staffCall(`/api${PATH}/${slug}/draft`, {
          method: "PUT",
          body: { ...text, version: change.version, edition: change.edition },
        }),
      "Draft saved.",
    );
  const discard = async () => {
    const call = () =>
      staffCall(`/api${PATH}/${slug}/discard`, {
        method: "POST",
        body: { version: change.version },
      });
    if (await change.send(call, "Draft discarded.")) onReplace();
  };
  const publish = async (effective_from: string) => {
    if (!mayPublish) return;
    const call = () =>
      staffCall(`/api${PATH}/${slug}/publish`, {
        method: "POST",
        body: { version: change.version, effective_from },
      });
    if (await change.send(call, "Published.")) setPublishing(false);
  };
  const show = async () => {
    const body = { ...text, number: null };
    setPreview(await staffCall(`/api${PATH}/${slug}/preview`, { method: "POST", body }));
  };
  return (
    <form
      method="post"
      ref={change.form}
      className="admin-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <p>
        {draft_version > 0 ? (
          <span className="tag" data-tone="warn">
            Draft
          </span>
        ) : (
          <span className="tag" data-tone="good">
            Published
          </span>
        )}{" "}
        <a href={href}>View page</a>
        {draft_version === 0 &&
          next &&
          ` · Version ${next.number} follows on ${formatDate(next.effective_from)}.`}
      </p>
      <ChangeErrors change={change} fields={["title", "body", "effective_from"]} />
      <Field
        name="title"
        label="Title"
        value={text.title}
        onChange={(event) => setText({ ...text, title: event.currentTarget.value })}
        problem={change.about("title")}
      />
      <Labeled
        label="Text, in Markdown"
        hint="{{company}}, {{email}}, {{phone}}, {{address}}, and {{site}} are replaced with your shop’s details. ## starts a section."
        problem={change.about("body")}
      >
        {(control) => (
          <textarea
            name="body"
            className="input settings-text settings-long"
            value={text.body}
            onChange={(event) => setText({ ...text, body: event.currentTarget.value })}
            {...control}
          />
        )}
      </Labeled>
      <div className="admin-acts">
        <Button type="submit" aria-disabled={change.busy || isSaved}>
          Save draft
        </Button>
        <button
          type="button"
          className="button button-quiet"
          aria-disabled={change.busy}
          onClick={() => void change.ask(show, "Preview opened.")}
        >
          Preview
        </button>
        {draft_version > 0 && (
          <>
            <button
              type="button"
              className="button button-quiet"
              aria-disabled={change.busy || !isSaved}
              title={isSaved ? undefined : "Save the draft first."}
              onClick={() => setPublishing(true)}
            >
              Publish
            </button>
            <button
              type="button"
              className="link"
              aria-disabled={change.busy}
              onClick={() => setDiscarding(true)}
            >
              Discard draft
            </button>
          </>
        )}
      </div>
      <PreviewDialog title={text.title} preview={preview} onClose={() => setPreview(null)} />
      <DraftLoss
        title="Discard the draft?"
        act="Discard draft"
        open={discarding}
        busy={change.busy}
        onClose={() => setDiscarding(false)}
        onConfirm={discard}
      />
      <Dialog
        title={`Publish ${text.title}`}
        open={publishing}
        onClose={() => setPublishing(false)}
      >
        <Publish
          today={today}
          editions={editions}
          publish={publish}
          mayPublish={mayPublish}
          isPublished={isSaved && draft_version === 0}
          change={change}
        />
      </Dialog>
    </form>
  );
}

interface PreviewDialogProps {
  title: string;
  /** Null while the dialog is closed. */
  preview: TextPreview | null;
  onClose: () => void;
}

function PreviewDialog({ title, preview, onClose }: PreviewDialogProps) {
  return (
    <Dialog title={title} open={preview !== null} wide onClose={onClose}>
      {preview && (
        <div
          className="prose settings-preview"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by the server, which does not pass through HTML from the text.
          dangerouslySetInnerHTML={{ __html: trusted.createHTML(preview.html) }}
        />
      )}
    </Dialog>
  );
}

interface DraftLossProps {
  title: string;
  /** The label of the button that goes on. */
  act: string;
  open: boolean;
  busy: boolean;
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

/** Asks before the draft is lost. Has no form of its own, because it may be inside the editor's form. */
function DraftLoss({ title, act, open, busy, onClose, onConfirm }: DraftLossProps) {
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <p>The saved draft and any unsaved changes will be lost. This can’t be undone.</p>
      <div className="admin-dialog-acts">
        <button type="button" className="button button-quiet" onClick={onClose}>
          Keep draft
        </button>
        <button
          type="button"
          className="button button-danger"
          aria-disabled={busy}
          onClick={() => void onConfirm().finally(onClose)}
        >
          {act}
        </button>
      </div>
    </Dialog>
  );
}

/** The versions that will take effect, the first one first. Of several for one day, that is the one listed first, the newest. */
function scheduled(editions: EditionView[]): EditionView[] {
  const coming = editions.filter(({ is_coming }) => is_coming);
  const days = coming.map(({ effective_from }) => effective_from);
  const shown = coming.filter(({ effective_from }, at) => days.indexOf(effective_from) === at);
  return shown.sort((one, other) => (one.effective_from < other.effective_from ? -1 : 1));
}

interface PublishProps {
  today: string;
  /** The newest first. */
  editions: EditionView[];
  publish: (day: string) => Promise<void>;
  /** False if the draft is no longer the text in the editor, or gone. */
  mayPublish: boolean;
  /** The text in the editor is the published one: someone else has published the draft. */
  isPublished: boolean;
  change: Change;
}

/** Has no form of its own, because it is inside the editor's form. */
export function Publish(props: PublishProps) {
  const { today, editions, publish, mayPublish, isPublished, change } = props;
  const [day, setDay] = useState(today);
  return (
    <div className="admin-form">
      <p>
        Shoppers see it from this day on. Until then, you can withdraw it. Published versions are
        kept forever.
      </p>
      <Field
        name="effective_from"
        type="date"
        label="Effective"
        min={today}
        value={day}
        onChange={(event) => setDay(event.currentTarget.value)}
        problem={change.about("effective_from")}
      />
      {day && <Scheduled day={day} editions={editions} />}
      <ChangeErrors change={change} fields={["effective_from"]} />
      {/* Not while it is being published: then the draft is gone as well. */}
      {!mayPublish && !change.busy && (
        <div className="settings-trouble" role="alert">
          {isPublished ? (
            <p>This text has already been published.</p>
          ) : (
            <p>
              <b>The saved draft is no longer the text in the editor:</b> it was changed, published,
              or discarded in the meantime. To publish your text, close this dialog and save it as
              the draft again. To see what is saved now, reload the page.
            </p>
          )}
        </div>
      )}
      <div className="admin-dialog-acts">
        <Button aria-disabled={change.busy || !mayPublish} onClick={() => void publish(day)}>
          Publish
        </Button>
      </div>
    </div>
  );
}

/** What scheduled versions mean for a text that is published for this day. */
function Scheduled({ day, editions }: { day: string; editions: EditionView[] }) {
  const coming = scheduled(editions);
  const former = coming.findLast(({ effective_from }) => effective_from <= day);
  const next = coming.find(({ effective_from }) => effective_from > day);
  return (
    <>
      {former && (
        <p>
          {`It replaces version ${former.number}, which is scheduled for ${formatDate(former.effective_from)}: what only that version says will no longer apply. If that isn’t what you want, view that version first, and add what is missing.`}
        </p>
      )}
      {next && (
        <p>
          {`Only until ${formatDate(next.effective_from)}: then version ${next.number} takes effect, which may not have this change. To keep it, copy version ${next.number} to the draft afterward, change it there, too, and publish it for that day.`}
        </p>
      )}
    </>
  );
}

interface EditionProps {
  edition: EditionView;
  slug: string;
  draft: Draft;
  onRestore: () => void;
}

function Edition({ edition, slug, draft, onRestore }: EditionProps) {
  const { number, effective_from, is_in_force, is_coming, published_at, published_by } = edition;
  const { withdrawn_at, withdrawn_by } = edition;
  const change = useChange<HTMLLIElement>();
  const [view, setView] = useState<TextPreview | null>(null);
  const [replacing, setReplacing] = useState(false);
  const name = number === 0 ? "the built-in text" : `version ${number}`;
  const label = number === 0 ? "Built-in" : `Version ${number}`;
  // Whoever has been told here that the draft is another one is not told again by the editor.
  const reload = () => change.reload().then(draft.moveToLatest);
  const show = async () => {
    const body = { title: "", body: "", number };
    const answer = staffCall(`/api${PATH}/${slug}/preview`, { method: "POST", body });
    await answer.then(setView, tellFailure);
  };
  const restore = async () => {
    const call = () =>
      staffCall(`/api${PATH}/${slug}/restore`, {
        method: "POST",
        body: { number, version: draft.version, edition: draft.edition },
      });
    if (await change.send(call, "Version copied to the draft.")) onRestore();
  };
  return (
    <li ref={change.form}>
      <p>
        <b>{label}</b>{" "}
        {is_in_force && (
          <span className="tag" data-tone="good">
            Current
          </span>
        )}
        {is_coming && (
          <span className="tag" data-tone="info">
            Scheduled
          </span>
        )}
        {withdrawn_at && <span className="tag">Withdrawn</span>}
      </p>
      <small>
        {`${withdrawn_at ? "Was to take effect" : "Effective"} ${formatDate(effective_from)}. `}
        {published_at && `Published ${formatTime(published_at)} by ${published_by}. `}
        {withdrawn_at && `Withdrawn ${formatTime(withdrawn_at)} by ${withdrawn_by}.`}
      </small>
      <div className="admin-acts">
        <button
          type="button"
          className="link"
          aria-label={`View ${name}`}
          onClick={() => void show()}
        >
          View
        </button>
        <button
          type="button"
          className="link"
          aria-disabled={change.busy}
          aria-label={`Copy to draft: ${name}`}
          onClick={() => {
            if (draft.version > 0) setReplacing(true);
            else if (mayLeave()) void restore();
          }}
        >
          Copy to draft
        </button>
        {is_coming && <Withdraw edition={edition} slug={slug} />}
      </div>
      <PreviewDialog
        title={`${label}: ${view?.title ?? ""}`}
        preview={view}
        onClose={() => setView(null)}
      />
      <DraftLoss
        title={`Replace the draft with ${name}?`}
        act="Replace draft"
        open={replacing}
        busy={change.busy}
        onClose={() => setReplacing(false)}
        onConfirm={restore}
      />
      <ChangeErrors change={{ ...change, reload }} />
    </li>
  );
}

function Withdraw({ edition, slug }: Pick<EditionProps, "edition" | "slug">) {
  const { number, effective_from } = edition;
  const [open, setOpen] = useState(false);
  const change = useChange<HTMLDivElement>();
  const name = `Withdraw version ${number}`;
  const withdraw = async () => {
    const call = () =>
      staffCall(`/api${PATH}/${slug}/withdraw`, { method: "POST", body: { number } });
    if (await change.send(call, "Version withdrawn.")) setOpen(false);
  };
  return (
    <>
      <button type="button" className="link" aria-label={name} onClick={() => setOpen(true)}>
        Withdraw
      </button>
      <Dialog title={name} open={open} onClose={() => setOpen(false)}>
        <div ref={change.form}>
          <p>
            {`It won’t take effect on ${formatDate(effective_from)}, and can’t be scheduled again. To publish its text for another day, copy it to the draft.`}
          </p>
          <ChangeErrors change={change} />
          <div className="admin-dialog-acts">
            <Button aria-disabled={change.busy} onClick={() => void withdraw()}>
              Withdraw
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
