// The values of a query by their keys.

/** As hapi hands a query to Joi: a repeated key has a list. */
export function queryValues(search: string): Record<string, string | string[]> {
  if (search === '') return {};
  return (asItStands.test(search) ? plainValues(search) : undefined) ?? decodedValues(search);
}

/** A query that is no other when it is decoded: visible ASCII without `%` and `+`. */
const asItStands = /^\?[!-$&-*,-~]*$/;

/** The values of a query that stands as it is; undefined where a key comes again, or is no name for a plain property. */
function plainValues(search: string): Record<string, string> | undefined {
  const values: Record<string, string> = {};
  for (const pair of search.slice(1).split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const key = at < 0 ? pair : pair.slice(0, at);
    if (key === '__proto__' || Object.hasOwn(values, key)) return undefined;
    values[key] = at < 0 ? '' : pair.slice(at + 1);
  }
  return values;
}

function decodedValues(search: string): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(search)) {
    const former = values.get(key);
    if (former) former.push(value);
    else values.set(key, [value]);
  }
  return Object.fromEntries(Array.from(values, ([key, all]) => [key, all.length === 1 ? (all[0] ?? '') : all]));
}
