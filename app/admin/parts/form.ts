/** What is typed in a field. */
export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** What is chosen in a field that offers these alone. */
export function choice<const Value extends string>(
  form: FormData,
  name: string,
  values: readonly Value[],
): Value {
  const value = values.find((each) => each === form.get(name));
  if (value === undefined) throw new Error(`Nothing is chosen in ${name}`);
  return value;
}
