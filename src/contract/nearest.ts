// The nearest known name to an unknown one, for messages.

/** The number of letters to insert, delete or replace to get from one text to the other. */
function editDistance(one: string, other: string): number {
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

/**
 * A question with the known name that differs least from the value, with a space before it. Case does not count.
 * Empty if no name is similar: more than 40 % of its letters would change, or more than five, as in another UUID.
 * @example didYouMean('token_expirey', switchNames) // ' Did you mean "token_expiry"?'
 */
export function didYouMean(value: string, names: readonly string[]): string {
  // A name is never this long, and to compare it would take long.
  if (value.length > 200) return '';
  const distances = names.map((name) => ({ name, distance: editDistance(value.toLowerCase(), name.toLowerCase()) }));
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.min(best.name.length * 0.4, maxChanges) ? ` Did you mean "${best.name}"?` : '';
}

/**
 * The sentence, which has no period yet, and the question if a known name is similar.
 * @example withNearest('unknown scenario "pagin"', 'pagin', ['paging']) // '… "pagin". Did you mean "paging"?'
 */
export function withNearest(sentence: string, value: string, names: readonly string[]): string {
  const question = didYouMean(value, names);
  return question ? `${sentence}.${question}` : sentence;
}
