import { memo } from "react";
import { reusable } from "../../ssr-runtime/js/reusable";
import type { ProductStory } from "../lib/types";

interface Props {
  story: ProductStory;
}

/** Hidden if there are none. */
export const Highlights = memo(
  reusable(({ story }: Props) => story.highlights.map((text) => <li key={text}>{text}</li>), {
    as: "ul",
    attributes: () => ({ className: "highlights" }),
    data: ({ story }) => story,
  }),
);

function Paragraphs({ story }: Props) {
  return (
    <>
      <h2 id="about">About this item</h2>
      <div className="prose">
        {story.description.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </>
  );
}

export const About = memo(
  reusable(Paragraphs, {
    as: "section",
    attributes: () => ({ className: "product-story", "aria-labelledby": "about" }),
    data: ({ story }) => story,
  }),
);

interface DetailsProps extends Props {
  /** Of the chosen variant. */
  sku: string;
}

function Rows({ story, sku }: DetailsProps) {
  return (
    <>
      <h2 id="details">Details</h2>
      <dl>
        {story.details.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>Item number</dt>
          <dd>{sku}</dd>
        </div>
      </dl>
    </>
  );
}

export const Details = memo(
  reusable(Rows, {
    as: "section",
    attributes: () => ({ className: "product-details", "aria-labelledby": "details" }),
    data: ({ story }) => story,
    key: ({ sku }) => sku,
  }),
);
