// Whether a measurement of `--quick` is made again, and which of its tries counts: a machine that others use makes right servers look slow now and then.
import { isFarOff, standing } from './verdict.mjs';

export const mostTries = 3;

/**
 * Whether there is a figure that no try has found as it must be, and nothing else than the machine's time may be why.
 * @param tries `{ figures, journals }` of each, the figures in one order
 */
export function isToTryAgain(tries) {
  const [first] = tries;
  if (tries.length >= mostTries || tries.some(isWrong)) return false;
  return first.figures.some((_, at) => tries.every(({ figures }) => isSpoilt(figures[at])));
}

/** Another answer than the one that was wanted is no matter of time. */
const isWrong = ({ figures, journals }) =>
  figures.some(({ failed, isOutOfTime }) => failed !== undefined && !isOutOfTime) ||
  journals.some(({ fault }) => fault);

const isSpoilt = (figure) => figure.isOutOfTime === true || isFarOff(figure);

/** Of one figure's tries the one that counts, with the others as `setAside`, where there are any. */
export function chosen(tries) {
  const best = tries.reduce((one, other) => (rank(other) > rank(one) ? other : one));
  const setAside = tries.filter((figure) => figure !== best && figure.unavailable === undefined);
  return setAside.length === 0 ? best : { ...best, setAside };
}

/** A failure that is no matter of time is never set aside; one that is gives way to any figure. */
function rank(figure) {
  if (figure.failed === undefined) return standing(figure) || 0;
  return figure.isOutOfTime ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
