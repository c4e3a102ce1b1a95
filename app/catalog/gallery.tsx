import { memo, useEffect, useRef, useState } from "react";
import { reusable } from "../../ssr-runtime/js/reusable";
import type { ProductGallery } from "../lib/types";
import { Picture } from "../ui/picture";

/** The server preloads the first picture with the same `sizes`. */
const SIZES = "(min-width: 64rem) 50vw, 100vw";

interface Props {
  gallery: ProductGallery;
  /** The picture of the chosen variant. */
  current: number;
}

/**
 * A strip of pictures with scroll snapping, moved by swiping, the keyboard, or the thumbnails. Without scripts the
 * thumbnails are links to the pictures.
 */
function Contents({ gallery: { pictures }, current }: Props) {
  const strip = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(current);
  const [first] = useState(current);
  const last = useRef(current);

  function show(index: number): void {
    const picture = strip.current?.children[index];
    if (picture instanceof HTMLElement) strip.current?.scrollTo({ left: picture.offsetLeft });
  }

  useEffect(() => {
    // At first the strip is where it should be, or where the visitor has swiped it before the scripts ran.
    if (last.current === current) return;
    last.current = current;
    // With the next frame, which computes the layout anyway.
    const frame = requestAnimationFrame(() => {
      const picture = strip.current?.children[current];
      if (picture instanceof HTMLElement) strip.current?.scrollTo({ left: picture.offsetLeft });
    });
    return () => cancelAnimationFrame(frame);
  }, [current]);

  return (
    <>
      <ul
        ref={strip}
        className="gallery-strip"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
        tabIndex={0}
        aria-label="Product photos"
        onScroll={({ currentTarget }) => {
          const middle = currentTarget.scrollLeft + currentTarget.clientWidth / 2;
          const at = [...currentTarget.children].findIndex((each) => {
            const { offsetLeft, offsetWidth } = each as HTMLElement;
            return offsetLeft <= middle && middle < offsetLeft + offsetWidth;
          });
          if (at >= 0) setShown(at);
        }}
      >
        {pictures.map((picture, index) => (
          // The class shows the chosen variant's picture first without scripts.
          <li
            key={picture.src}
            id={`picture-${index + 1}`}
            className={index === first ? "is-first" : undefined}
          >
            <Picture picture={picture} sizes={SIZES} fallback={1280} priority={index === first} />
          </li>
        ))}
      </ul>
      {pictures.length > 1 && (
        <ul className="gallery-thumbs" data-feature="gallery">
          {pictures.map((picture, index) => (
            <li key={picture.src}>
              <a
                href={`#picture-${index + 1}`}
                aria-label={`Photo ${index + 1} of ${pictures.length}`}
                aria-current={index === shown || undefined}
                onClick={(event) => {
                  event.preventDefault();
                  show(index);
                }}
              >
                <Picture picture={{ ...picture, alt: "" }} sizes="5rem" />
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export const Gallery = memo(
  reusable(Contents, {
    as: "div",
    attributes: () => ({ className: "gallery" }),
    data: ({ gallery }) => gallery,
    key: ({ current }) => String(current),
  }),
);
