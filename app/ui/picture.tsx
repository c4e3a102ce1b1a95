import { useState } from "react";
import { screen } from "../lib/screen";
import type { Picture as PictureData } from "../lib/types";

/** The widths in which the server renders every picture; the document's preload may list the same. */
const WIDTHS = [160, 320, 480, 640, 960, 1280];

interface Props {
  /** Without a size where the style sheet has one. */
  picture: Pick<PictureData, "src" | "alt"> & Partial<PictureData>;
  /** The `sizes` attribute. For a preloaded picture it must match the server's. */
  sizes: string;
  /** The renditions to choose from, if not all. */
  widths?: number[];
  /** The rendition for the few browsers without AVIF. */
  fallback?: number;
  /** Visible without scrolling: loads with priority instead of lazily. */
  priority?: boolean;
}

export function Picture(props: Props) {
  const { picture, sizes, widths = WIDTHS, fallback = 640, priority = false } = props;
  const { src, alt, width, height } = picture;
  const [isHydrating] = useState(() => !screen.address);
  // A cart line's picture may be unknown until the server sends it.
  if (!src) return <picture />;
  return (
    <picture>
      <source type="image/avif" srcSet={sourceSet(src, widths)} sizes={sizes} />
      <img
        src={`${src}-${fallback}.webp`}
        alt={alt}
        width={width}
        height={height}
        // Except while hydrating, React sets `src` before the image is in its `<picture>`: Safari would load the fallback, too.
        loading={priority && isHydrating ? undefined : "lazy"}
        ref={priority ? load : undefined}
        fetchPriority={priority ? "high" : undefined}
      />
    </picture>
  );
}

/** Called when the image is in the document. */
const load = (image: HTMLImageElement | null) => image?.setAttribute("loading", "eager");

function sourceSet(src: string, widths: number[]): string {
  return widths.map((width) => `${src}-${width}.avif ${width}w`).join();
}
