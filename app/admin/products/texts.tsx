import { useState } from "react";
import type { ProductContent, ProductEditorPage } from "../../lib/types";
import { Field, Labeled } from "../../ui/field";
import { fromCents, toCents, toHandle, toLocalInput } from "./draft";

/** Props that the sections of the editor share. */
export interface Editing {
  content: ProductContent;
  /** Changes the given fields. */
  set: (fields: Partial<ProductContent>) => void;
  /** The server's error message about a field. */
  about: (field: string) => string | undefined;
  readOnly: boolean;
}

/** A text area for a list of paragraphs or highlights, one per line. */
function Lines({ label, hint, value, onChange, problem, readOnly }: LinesProps) {
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

interface AmountProps {
  label: string;
  value: number | null;
  /** Called with null if the field is empty, and with -1 if it is not an amount. */
  onChange: (value: number | null) => void;
  readOnly?: boolean;
  invalid?: boolean;
  describedBy?: string | undefined;
}

/** A field for an amount of money, which keeps the text as typed. */
export function Amount({ label, value, onChange, readOnly, invalid, describedBy }: AmountProps) {
  const [text, setText] = useState(fromCents(value));
  const read = text.trim() === "" ? null : (toCents(text) ?? -1);
  const shown = read === value || (value === -1 && read === null) ? text : fromCents(value);
  return (
    <input
      className="input is-amount"
      inputMode="decimal"
      aria-label={label}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      value={shown}
      readOnly={readOnly}
      onChange={({ target }) => {
        setText(target.value);
        onChange(target.value.trim() === "" ? null : (toCents(target.value) ?? -1));
      }}
    />
  );
}

export function Texts({ content, set, about, readOnly, isNew }: Editing & { isNew: boolean }) {
  const { title, details } = content;
  return (
    <section className="panel admin-form" aria-labelledby="texts">
      <h2 id="texts">Description</h2>
      <Field
        name="title"
        label="Title"
        value={title}
        readOnly={readOnly}
        problem={about("title")}
        onChange={({ target }) => {
          const follows = isNew && content.handle === toHandle(title);
          set({ title: target.value, ...(follows && { handle: toHandle(target.value) }) });
        }}
      />
      <Field
        name="subtitle"
        label="Subtitle"
        value={content.subtitle}
        readOnly={readOnly}
        problem={about("subtitle")}
        onChange={({ target }) => set({ subtitle: target.value })}
      />
      <Lines
        label="Description"
        hint="One paragraph per line."
        value={content.description}
        readOnly={readOnly}
        problem={about("description")}
        onChange={(description) => set({ description })}
      />
      <Lines
        label="Highlights"
        hint="One highlight per line."
        value={content.highlights}
        readOnly={readOnly}
        problem={about("highlights")}
        onChange={(highlights) => set({ highlights })}
      />
      <fieldset className="detail-rows">
        <legend className="label">Details</legend>
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

/** Status, publishing date, category, and compliance class. */
export function Placement(
  props: Editing & Pick<ProductEditorPage, "categories" | "classes" | "collections">,
) {
  const { content, set, about, readOnly, categories, classes, collections } = props;
  const restriction = classes.find(({ value }) => value === content.compliance_class)?.restriction;
  return (
    <section className="panel admin-form" aria-labelledby="placement">
      <h2 id="placement">Publishing</h2>
      <Labeled label="Status" problem={about("status")}>
        {(control) => (
          <select
            className="input"
            value={content.status}
            disabled={readOnly}
            onChange={({ target }) =>
              set({ status: target.value as ProductContent["status"], publish_at: null })
            }
            {...control}
          >
            <option value="draft">Draft: visible only to staff</option>
            <option value="active">Active: for sale</option>
            <option value="archived">Archived: no longer sold</option>
          </select>
        )}
      </Labeled>
      {content.status === "draft" && (
        <Field
          name="publish_at"
          type="datetime-local"
          label="Publish on"
          hint="In this device’s time zone. Leave blank to publish it yourself."
          value={toLocalInput(content.publish_at)}
          readOnly={readOnly}
          problem={about("publish_at")}
          onChange={({ target }) => {
            const at = new Date(target.value).getTime();
            set({ publish_at: Number.isNaN(at) ? null : at });
          }}
        />
      )}
      <Labeled label="Category" problem={about("category_id")}>
        {(control) => (
          <select
            className="input"
            value={content.category_id}
            disabled={readOnly}
            onChange={({ target }) => set({ category_id: target.value })}
            {...control}
          >
            <option value="">Choose one</option>
            {categories.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Labeled>
      <Labeled
        label="Compliance class"
        problem={about("compliance_class")}
        hint={
          restriction ?? "Determines where it can be sold and shipped, and how it can be paid for."
        }
      >
        {(control) => (
          <select
            className="input"
            value={content.compliance_class}
            disabled={readOnly}
            onChange={({ target }) => set({ compliance_class: target.value })}
            {...control}
          >
            <option value="">Choose one</option>
            {classes.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Labeled>
      <Field
        name="material"
        label="Material"
        value={content.material}
        readOnly={readOnly}
        problem={about("material")}
        onChange={({ target }) => set({ material: target.value })}
      />
      {collections.length > 0 && (
        <fieldset>
          <legend className="label">Collections</legend>
          {collections.map(({ value, label }) => (
            <label key={value} className="admin-check">
              <input
                type="checkbox"
                checked={content.collections.includes(value)}
                disabled={readOnly}
                onChange={({ target }) => {
                  const others = content.collections.filter((id) => id !== value);
                  set({ collections: target.checked ? [...others, value] : others });
                }}
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
    </section>
  );
}

/** The handle, and the title and description for search engines. */
export function SearchEngines({
  content,
  set,
  about,
  readOnly,
  origin,
  wasReleased,
}: Editing & { origin: string; wasReleased: boolean }) {
  const title = content.seo_title || content.title || "Title";
  const text = content.seo_description || content.description[0] || content.subtitle;
  return (
    <section className="panel admin-form" aria-labelledby="search-engines">
      <h2 id="search-engines">Search engine listing</h2>
      <Field
        name="handle"
        label="Handle"
        hint={
          wasReleased
            ? "Links to the old address redirect to the new one."
            : "The last part of the page’s address."
        }
        value={content.handle}
        readOnly={readOnly}
        problem={about("handle")}
        onChange={({ target }) => set({ handle: target.value })}
      />
      <Field
        name="seo_title"
        label="Page title"
        hint={`${content.seo_title.length} of about 60 characters shown. Defaults to the title.`}
        value={content.seo_title}
        readOnly={readOnly}
        problem={about("seo_title")}
        onChange={({ target }) => set({ seo_title: target.value })}
      />
      <Labeled
        label="Meta description"
        hint={`${content.seo_description.length} of about 155 characters shown. Defaults to the first paragraph.`}
        problem={about("seo_description")}
      >
        {(control) => (
          <textarea
            className="input"
            rows={3}
            value={content.seo_description}
            readOnly={readOnly}
            onChange={({ target }) => set({ seo_description: target.value.replaceAll("\n", " ") })}
            {...control}
          />
        )}
      </Labeled>
      <figure className="search-result">
        <figcaption className="label">Search preview</figcaption>
        <cite>{`${origin.replace(/^https?:\/\//, "")} › product › ${content.handle || "…"}`}</cite>
        <b>{title}</b>
        <p>{text}</p>
      </figure>
    </section>
  );
}
