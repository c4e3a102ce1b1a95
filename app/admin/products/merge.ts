const equal = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Fields in which two contents differ. */
export function changedFields<Content extends object>(
  a: Content,
  b: Content,
): (keyof Content & string)[] {
  const fields = Object.keys(a) as (keyof Content & string)[];
  return fields.filter((field) => !equal(a[field], b[field]));
}

/**
 * My changes since `base` on top of theirs; `both` lists the fields that both changed, where mine win. `own` is what is taken
 * of mine.
 */
export function mergeFields<Content extends object>(
  base: Content,
  mine: Content,
  theirs: Content,
  own = mine,
): { content: Content; both: string[] } {
  const changed = changedFields(base, mine);
  const both = changed.filter(
    (field) => !equal(base[field], theirs[field]) && !equal(own[field], theirs[field]),
  );
  const content = { ...theirs };
  for (const field of changed) content[field] = own[field];
  return { content, both };
}
