import type { ProductContent, ProductEditorPage } from "../../lib/types";
import { Field, Labeled } from "../../ui/field";
import type { Editing } from "./editing";
import { PRODUCT_LABELS } from "./field-labels";
import { toLocalInput } from "./product-content";

/** Status, publishing date, category, and compliance class. */
export function PublishingPanel(
  props: Editing & Pick<ProductEditorPage, "categories" | "classes" | "collections">,
) {
  const { content, set, about, readOnly, categories, classes, collections } = props;
  const restriction = classes.find(({ value }) => value === content.compliance_class)?.restriction;
  const known = new Set(collections.map(({ value }) => value));
  // Someone else may have deleted one: the product is saved only without it.
  const deleted = content.collections.filter((id) => !known.has(id));
  const offered = [
    ...collections,
    ...deleted.map((value) => ({ value, label: "Deleted collection" })),
  ];
  return (
    <section className="panel admin-form" aria-labelledby="placement">
      <h2 id="placement">Publishing</h2>
      <Labeled label={PRODUCT_LABELS.status} problem={about("status")}>
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
          label={PRODUCT_LABELS.publish_at}
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
      <Labeled label={PRODUCT_LABELS.category_id} problem={about("category_id")}>
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
        label={PRODUCT_LABELS.compliance_class}
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
        label={PRODUCT_LABELS.material}
        value={content.material}
        readOnly={readOnly}
        problem={about("material")}
        onChange={({ target }) => set({ material: target.value })}
      />
      {offered.length > 0 && (
        <fieldset>
          <legend className="label">{PRODUCT_LABELS.collections}</legend>
          {offered.map(({ value, label }) => (
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
      {about("collections") && (
        <p className="field-error" role="alert">
          {about("collections")}
        </p>
      )}
    </section>
  );
}
