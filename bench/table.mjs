// The benchmark's table: medians, spreads and goals as Markdown.

export const tableHead = [
  '| CPU time of the server per request, unless stated otherwise | A | B | ratio: median (min to max) | goal | |',
  '| --- | --- | --- | --- | --- | --- |',
];

/**
 * @param row `{ goal, atMost }`; without a goal, the table shows only the value
 * @param result `{ label, values, ours, other, unit }`
 * @example formatRow({ goal: 0.6 }, { label: 'list', values: [0.7], ours: [20], other: [14], unit: 'µs' })
 * // '| list | 20.0 µs | 14.0 µs | 0.70 (0.70 to 0.70) | ≥ 0.60 | met |'
 */
export function formatRow({ goal, atMost }, { label, values, ours, other, unit }) {
  const figure = (times) => (times === undefined ? '' : `${format(median(times))} ${unit}`);
  const isCount = Number.isInteger(goal) && goal > 1;
  const digits = (value) => (isCount ? String(Math.round(value * 10) / 10) : value.toFixed(2));
  const bound = goal === undefined ? '' : `${atMost ? '≤' : '≥'} ${digits(goal)}`;
  const cells = [label, figure(ours), figure(other), spread(values, digits), bound, verdict(goal, atMost, values)];
  return `| ${cells.join(' | ')} |`;
}

/** Returns whether the median misses its goal by more than this factor. */
export function isMissedBy(factor, { goal, atMost }, { values }) {
  if (goal === undefined || values.length === 0) return false;
  return atMost ? median(values) > goal * factor : median(values) * factor < goal;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function spread(values, digits) {
  if (values.length < 2) return values.map(digits).join();
  return `${digits(median(values))} (${digits(Math.min(...values))} to ${digits(Math.max(...values))})`;
}

function verdict(goal, atMost, values) {
  if (goal === undefined) return '';
  if (values.length === 0) return 'not measured';
  const value = median(values);
  if (atMost ? value <= goal : value >= goal) return 'met';
  return `missed by ${Math.abs((value / goal - 1) * 100).toFixed(0)} %`;
}

const format = (value) => (value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(1));
