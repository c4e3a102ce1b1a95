import { useShared } from "../../lib/shared";
import { Field, Labeled } from "../../ui/field";
import type { Editing } from "./editing";
import { PRODUCT_LABELS } from "./field-labels";

/** The handle, and the title and description for search engines. */
export function SearchListingPanel({
  content,
  set,
  about,
  readOnly,
  origin,
  wasReleased,
}: Editing & { origin: string; wasReleased: boolean }) {
  // As `finish_meta` on the server has it.
  const title = `${content.seo_title || content.title || "Title"} | ${useShared().company.name}`;
  const text = content.seo_description || content.description[0] || content.subtitle;
  return (
    <section className="panel admin-form" aria-labelledby="search-engines">
      <h2 id="search-engines">Search engine listing</h2>
      <Field
        name="handle"
        label={PRODUCT_LABELS.handle}
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
        label={PRODUCT_LABELS.seo_title}
        hint={`${title.length} of about 60 characters shown, with the shop’s name. Defaults to the title.`}
        value={content.seo_title}
        readOnly={readOnly}
        problem={about("seo_title")}
        onChange={({ target }) => set({ seo_title: target.value })}
      />
      <Labeled
        label={PRODUCT_LABELS.seo_description}
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
