// Measures two things in turn, A B A B, and sums the pairs up as medians and the spread of their ratios.
export async function alternate(count, measureSachet, measureRaw) {
  await measureSachet();
  await measureRaw();
  const pairs = [];
  for (let round = 0; round < count; round += 1) {
    const sachet = await measureSachet();
    const raw = await measureRaw();
    pairs.push({ sachet, raw, ratio: sachet / raw });
  }
  return pairs;
}

export function summarize(pairs) {
  const ratios = pairs.map(({ ratio }) => ratio);
  return {
    sachet: median(pairs.map(({ sachet }) => sachet)),
    raw: median(pairs.map(({ raw }) => raw)),
    ratio: { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) },
    pairs,
  };
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
