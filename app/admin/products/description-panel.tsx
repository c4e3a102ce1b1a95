import { useState } from "react";
import { Field, Labeled } from "../../ui/field";
import type { Editing } from "./editing";
import { PRODUCT_LABELS } from "./field-labels";
import { followTitle } from "./product-content";

/** A text area for a list of paragraphs or highlights, one per line. */
function LinesField({ label, hint, value, onChange, problem, readOnly }: LinesProps) {
  const [text, setText] = useState(value.join("\n"));
  const shown = text.split("\n").filter((line) => line.trim());
  const current = shown.join("\n") === value.join("\n") ? text : value.join("\n");
  return (
    <Labeled label={label} hint={hint} problem={problem}>
      {(control) => (
        <textarea
          className="input"
          rows={Math.min(14, Math.max(3, value.length + 1))}
          value={current}
          readOnly={readOnly}
          onChange={({ target }) => {
            setText(target.value);
            onChange(target.value.split("\n").filter((line) => line.trim()));
          }}
          {...control}
        />
      )}
    </Labeled>
  );
}

interface LinesProps {
  label: string;
  hint: string;
  value: string[];
  onChange: (value: string[]) => void;
  problem: string | undefined;
  readOnly: boolean;
}

export function DescriptionPanel({
  content,
  set,
  about,
  readOnly,
  isNew,
}: Editing & { isNew: boolean }) {
  const { title, details } = content;
  return (
    <section className="panel admin-form" aria-labelledby="texts">
      <h2 id="texts">Description</h2>
      <Field
        name="title"
        label={PRODUCT_LABELS.title}
        value={title}
        readOnly={readOnly}
        problem={about("title")}
        onChange={({ target: { value } }) =>
          set(
            isNew
              ? { title: value, handle: followTitle(content.handle, title, value) }
              : { title: value },
          )
        }
      />
      <Field
        name="subtitle"
        label={PRODUCT_LABELS.subtitle}
        value={content.subtitle}
        readOnly={readOnly}
        problem={about("subtitle")}
        onChange={({ target }) => set({ subtitle: target.value })}
      />
      <LinesField
        label={PRODUCT_LABELS.description}
        hint="One paragraph per line."
        value={content.description}
        readOnly={readOnly}
        problem={about("description")}
        onChange={(description) => set({ description })}
      />
      <LinesField
        label={PRODUCT_LABELS.highlights}
        hint="One highlight per line."
        value={content.highlights}
        readOnly={readOnly}
        problem={about("highlights")}
        onChange={(highlights) => set({ highlights })}
      />
      <fieldset className="detail-rows">
        <legend className="label">{PRODUCT_LABELS.details}</legend>
        {details.map((detail, at) => {
          const change = (fields: Partial<typeof detail>) =>
            set({
              details: details.map((each, nth) => (nth === at ? { ...each, ...fields } : each)),
            });
          const problem = about(`details[${at}].label`) ?? about(`details[${at}].value`);
          const described = problem && `detail-${at}-problem`;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position.
            <div key={at}>
              <input
                className="input"
                aria-label={`Detail ${at + 1} name`}
                aria-invalid={problem !== undefined}
                aria-describedby={described}
                value={detail.label}
                readOnly={readOnly}
                onChange={({ target }) => change({ label: target.value })}
              />
              <input
                className="input"
                aria-label={`Detail ${at + 1} value`}
                aria-describedby={described}
                value={detail.value}
                readOnly={readOnly}
                onChange={({ target }) => change({ value: target.value })}
              />
              {!readOnly && (
                <button
                  type="button"
                  className="link"
                  aria-label={`Remove detail ${at + 1}`}
                  onClick={() => set({ details: details.filter((_, nth) => nth !== at) })}
                >
                  Remove
                </button>
              )}
              {problem && (
                <p id={described} className="field-error">
                  {problem}
                </p>
              )}
            </div>
          );
        })}
        {!readOnly && (
          <button
            type="button"
            className="button button-quiet"
            onClick={() => set({ details: [...details, { label: "", value: "" }] })}
          >
            Add a detail
          </button>
        )}
      </fieldset>
    </section>
  );
}
