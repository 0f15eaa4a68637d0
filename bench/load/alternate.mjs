// Measures two things in turn, A B A B, and sums the pairs up as medians and the spread of their ratios.

/** One warm-up of each, then `count` pairs `{ sachet, other, ratio }`. The functions take `isWarmUp` and give a number. */
export async function alternate(count, measureSachet, measureOther) {
  await measureSachet(true);
  await measureOther(true);
  const runs = [];
  for (let round = 0; round < count; round += 1) {
    const sachet = await measureSachet(false);
    const other = await measureOther(false);
    runs.push({ sachet, other, ratio: sachet / other });
  }
  return runs;
}

/** Of the pairs of `alternate`: both medians, and the ratio as `{ median, min, max }`. */
export function summarize(runs) {
  return {
    sachet: median(runs.map(({ sachet }) => sachet)),
    other: median(runs.map(({ other }) => other)),
    value: spread(runs.map(({ ratio }) => ratio)),
    runs,
  };
}

/** `{ median, min, max }` of numbers. */
export function spread(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** The middle of numbers, or the mean of the two in the middle. */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
