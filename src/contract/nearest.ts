// The nearest known name to an unknown one, for messages.

/** The number of letters to insert, delete or replace to get from one text to the other. */
function editDistance(one: string, other: string): number {
  // Equal letters at the ends, such as the id in a path, make no difference.
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  let end = 0;
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end += 1;
  return lettersBetween(short.slice(start, short.length - end), long.slice(start, long.length - end));
}

function lettersBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, otherLetter] of [...other].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + Number(letter !== otherLetter)));
    row = next;
  }
  return row.at(-1) ?? 0;
}

const maxChanges = 5;

/** How many letters differ, without case. Infinite if the value is not similar to the name (`didYouMean`). */
function distanceFrom(value: string, name: string): number {
  const max = Math.min(name.length * 0.4, maxChanges);
  // Saves the comparison of a text that is too long or too short, which takes long.
  if (Math.abs(value.length - name.length) > max) return Number.POSITIVE_INFINITY;
  const distance = editDistance(value.toLowerCase(), name.toLowerCase());
  return distance <= max ? distance : Number.POSITIVE_INFINITY;
}

interface Near {
  readonly name: string;
  readonly distance: number;
}

/** The first of the nearest. */
const nearestOf = (names: readonly Near[]): string | undefined =>
  names
    .filter(({ distance }) => distance !== Number.POSITIVE_INFINITY)
    .reduce<Near | undefined>((best, one) => (best && best.distance <= one.distance ? best : one), undefined)?.name;

/**
 * The known name that differs least from the value. Case does not count. Undefined if no name is similar: more than 40 %
 * of its letters would change, or more than five, as in another UUID.
 */
export const nearestName = (value: string, names: readonly string[]): string | undefined =>
  nearestOf(names.map((name) => ({ name, distance: distanceFrom(value, name) })));

/**
 * A question with the nearest name, with a space before it; empty if no name is similar.
 * @example didYouMean('token_expirey', switchNames) // ' Did you mean "token_expiry"?'
 */
export function didYouMean(value: string, names: readonly string[]): string {
  const nearest = nearestName(value, names);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

/** Longer paths are not compared. */
const maxPathCharacters = 200;

/**
 * The path of a template that is nearest to an unknown path: with the path's own ids, and at its end, so that a wrong
 * prefix does not matter.
 * @example nearestPath('/api/v1/orders/42', ['/v2/orders/{orderId}']) // '/v2/orders/42'
 */
export function nearestPath(path: string, templates: readonly string[]): string | undefined {
  if (path.length > maxPathCharacters) return undefined;
  const given = path.split('/').filter((segment) => segment !== '');
  return nearestOf(
    templates.map((template) => {
      const segments = template.split('/').slice(1);
      const tail = given.slice(-segments.length);
      const missing = segments.length - tail.length;
      const filled = segments.map((segment, at) =>
        segment.startsWith('{') ? (tail[at - missing] ?? segment) : segment,
      );
      const name = `/${filled.join('/')}`;
      return { name, distance: distanceFrom(`/${tail.join('/')}`, name) };
    }),
  );
}

/**
 * The sentence, which has no period yet, and the question if a known name is similar.
 * @example withNearest('unknown scenario "pagin"', 'pagin', ['paging']) // '… "pagin". Did you mean "paging"?'
 */
export function withNearest(sentence: string, value: string, names: readonly string[]): string {
  const question = didYouMean(value, names);
  return question ? `${sentence}.${question}` : sentence;
}
