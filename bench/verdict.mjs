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

/** How a figure stands to that bound: from 1 on within it, the more the better; undefined where it is not judged. */
export function standing(figure) {
  if (figure.bound === undefined || figure.value === undefined) return undefined;
  const bound = wideBound(figure);
  return figure.direction === 'at least' ? judged(figure) / bound : bound / judged(figure);
}

/** Whether `--quick` fails by a figure; by one that is no number, too. */
export function isFarOff(figure) {
  const stands = standing(figure);
  return stands !== undefined && !(stands >= 1);
}

/** Where others had a server's core the rates say how much of it they had; what the server did in its own time says how fast it is. */
export const judged = (figure) => (isDisturbed(figure) ? figure.byProcessorTime : figure.value).median;

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
