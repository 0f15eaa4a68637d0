// What one table has otherwise than another: how an image is told beside one that is told already.

/** Rows by their sequence numbers, in the order of these. */
interface Rows<Row> {
  entries(): Iterator<Entry<Row>>;
}

type Entry<Row> = readonly [sequence: number, row: Row];

/** So many rows are passed over in a fraction of a millisecond. */
const mostPassed = 1000;

/**
 * The rows that are put in, and null for those that are taken out, in the order of sequence numbers. Tables that are one and the same are
 * not looked through. Rows that both share are passed over, but for one of many, which is told all the same: whoever takes them
 * one by one is not kept waiting.
 */
export function* differences<Row>(from: Rows<Row> | undefined, to: Rows<Row>): Generator<Entry<Row | null>> {
  if (from === to) return;
  const [former, latter] = [from?.entries(), to.entries()];
  const next = (entries: Iterator<Entry<Row>> | undefined): Entry<Row> | undefined => entries?.next().value;
  let [old, made] = [next(former), next(latter)];
  let passed = 0;
  while (old || made) {
    const [before, after] = [old?.[0] ?? Number.POSITIVE_INFINITY, made?.[0] ?? Number.POSITIVE_INFINITY];
    if (before < after) yield [before, null];
    else if (made && (after < before || old?.[1] !== made[1] || passed === mostPassed)) {
      passed = 0;
      yield made;
    } else passed += 1;
    if (before <= after) old = next(former);
    if (after <= before) made = next(latter);
  }
}
