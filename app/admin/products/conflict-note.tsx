interface Props {
  /** What both have changed, such as "product". */
  what: string;
  /** What the form calls its fields; it does not show the others. */
  labels: Record<string, string>;
  /** The fields that the other user has changed. */
  changed: string[];
  /** Those that this user has changed, too. */
  both: string[];
  onKeep: () => void;
  onDiscard: () => void;
}

/** An edit conflict: the user can keep their own changes on top of the other user's, or discard them. */
export function ConflictNote({ what, labels, changed, both, onKeep, onDiscard }: Props) {
  const fieldNames = (fields: string[]) =>
    fields.flatMap((field) => labels[field] ?? []).join(", ");
  return (
    <div className="editor-note" data-tone="warn" role="alert">
      <p>
        <b>{`Someone else has changed this ${what}`}</b>
        {`: ${fieldNames(changed) || "nothing shown here"}.`}
        {both.length > 0 &&
          ` You both changed: ${fieldNames(both)}. Keeping your version replaces theirs.`}
      </p>
      <p className="admin-acts">
        <button type="button" className="button button-quiet" onClick={onKeep}>
          Keep my changes
        </button>
        <button type="button" className="button button-quiet" onClick={onDiscard}>
          Discard my changes
        </button>
      </p>
    </div>
  );
}
