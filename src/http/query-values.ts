// The values of a query by their keys.

/** As hapi hands a query to Joi: a repeated key has a list. */
export function queryValues(search: string): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(search)) {
    const former = values.get(key);
    if (former) former.push(value);
    else values.set(key, [value]);
  }
  return Object.fromEntries(Array.from(values, ([key, all]) => [key, all.length === 1 ? (all[0] ?? '') : all]));
}
