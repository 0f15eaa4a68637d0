// Holds figures against their goals.

/** The verdict: `{ met, by }`, `by` the share of the goal by which it is missed or exceeded; undefined where there is no goal. */
export function judge({ bound, direction }, { median }) {
  if (bound === undefined) return undefined;
  const met = direction === 'at least' ? median >= bound : median <= bound;
  return { met, by: Math.abs(median - bound) / bound };
}

/** The bound beyond which `--quick` fails: what is usual, or else the goal, with a wide margin. */
export function wideBound({ bound, usual = bound, direction, margin = 2.5 }) {
  return direction === 'at least' ? usual / margin : usual * margin;
}

/** What a server that is loaded has of its core at least, where it has that for itself: above its starts and ends. */
export const leastShare = 0.75;

/** Whether others had a server's core during a round: then a rate says little. */
export function isDisturbed(figure) {
  const { serverBusy } = figure;
  return canTellDisturbance(figure) && Math.min(serverBusy.sachet, serverBusy.other) < leastShare;
}

/** Not of servers that `waits` for a disk, nor where no processor time was taken. */
export function canTellDisturbance({ serverBusy, waits = false }) {
  return serverBusy !== undefined && !waits;
}
