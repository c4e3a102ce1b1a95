import type { Picture as PictureData } from "../lib/types";

/** The widths in which the server renders every picture; the document's preload lists the same. */
const WIDTHS = [160, 320, 480, 640, 960, 1280];

interface Props {
  picture: PictureData;
  /** The `sizes` attribute. For a preloaded picture it must match the server's. */
  sizes: string;
  /** Visible without scrolling: loads with priority instead of lazily. */
  priority?: boolean;
}

export function Picture({ picture, sizes, priority = false }: Props) {
  const { src, alt, width, height } = picture;
  // A cart line's picture may be unknown until the server sends it.
  if (!src) return <picture />;
  return (
    <picture>
      <source type="image/avif" srcSet={sourceSet(src, "avif")} sizes={sizes} />
      <img
        src={`${src}-640.webp`}
        srcSet={sourceSet(src, "webp")}
        sizes={sizes}
        alt={alt}
        width={width}
        height={height}
        loading={priority ? "eager" : "lazy"}
        fetchPriority={priority ? "high" : "auto"}
      />
    </picture>
  );
}

function sourceSet(src: string, format: string): string {
  let set = "";
  for (const width of WIDTHS) set += `${set && ", "}${src}-${width}.${format} ${width}w`;
  return set;
}
