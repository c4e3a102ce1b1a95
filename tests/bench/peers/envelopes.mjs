// What a peer has instead of a database: the shop's own answers, read once. For a fresh address only the texts that
// contain its number are written again; all else is shared between requests. The shop itself searches, counts the
// filters and builds the props each time.

/** From the captured pages, a function from an address to what is known about it. */
export function openEnvelopes({ marker, pages }) {
  const known = pages.map(({ fresh, kept, ...page }) => ({
    ...page,
    fresh: mapValues(fresh, (value) => filling(value, marker)),
    kept,
  }));

  return function find(url, cookie = "") {
    const { pathname, searchParams } = new URL(url, "http://shop");
    const query = searchParams.get("q");
    const signedIn = cookie.includes("session=");
    const page = known.find(
      (each) => each.path === pathname && each.query === query && each.signedIn === signedIn,
    );
    if (!page) return undefined;
    const number = searchParams.get("max_price");
    if (number === null) return page.kept;
    return mapValues(page.fresh, (fill) => fill(number));
  };
}

/** For frameworks, which make the head themselves. */
export const withMeta = ({ envelope, meta }) => ({ ...envelope, meta });

const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

/** A function that returns `value` with another number in place of the marker. What has no marker is not copied. */
function filling(value, marker) {
  const text = String(marker);

  function compile(part) {
    if (typeof part === "string") {
      if (!part.includes(text)) return null;
      const pieces = part.split(text);
      return (number) => pieces.join(number);
    }
    if (part === marker) return (number) => Number(number);
    if (typeof part !== "object" || part === null) return null;
    const changing = Object.entries(part)
      .map(([key, child]) => [key, compile(child)])
      .filter(([, fill]) => fill !== null);
    if (changing.length === 0) return null;
    return (number) => {
      const copy = Array.isArray(part) ? part.slice() : { ...part };
      for (const [key, fill] of changing) copy[key] = fill(number);
      return copy;
    };
  }

  return compile(value) ?? (() => value);
}
