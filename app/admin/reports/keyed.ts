/**
 * Each item with a key, for a list that gets new items in front. Items with the same text are numbered from the end, so that
 * none gets the key of another one.
 */
export function keyed<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
): [key: string, item: Item][] {
  const texts = items.map(textOf);
  return items.map((item, at) => {
    const older = texts.slice(at + 1).filter((text) => text === texts[at]);
    return [`${texts[at]} ${older.length}`, item];
  });
}
