// What is said of one figure: its goal, how it stands to that, and all of it in a line.
import { isDisturbed } from '../verdict.mjs';
import { formatValue } from './numbers.mjs';

export function goalOf(figure) {
  if (figure.bound === undefined) return '';
  return `${signOf(figure)} ${formatValue(figure, figure.bound)}`;
}

/** The side of its bound on which a figure is to be. */
export const signOf = ({ direction }) => (direction === 'at least' ? '≥' : '≤');

export function verdictOf({ verdict, direction }) {
  if (verdict === undefined) return '';
  if (verdict.met) return 'met';
  const missedBy = verdict.by < 0.01 ? 'less than 1 %' : `${(verdict.by * 100).toFixed(0)} %`;
  return `not met, ${missedBy} too ${direction === 'at least' ? 'low' : 'high'}`;
}

/** `0.250 (0.200–0.300)`, with its unit where it has one. */
export function rangeOf(figure, { median, min, max } = figure.value) {
  const [middle, least, most] = [median, min, max].map((number) => formatValue(figure, number));
  return `${middle} (${least}–${most})`;
}

/** Its verdict, and whether it was disturbed. */
export const stateOf = (figure) => `${verdictOf(figure)}${isDisturbed(figure) ? ' (disturbed)' : ''}`.trim();

/** Why there is no value, in a line; an error may tell a server's output behind its first one. */
export const reasonOf = ({ failed, unavailable }) => (failed ?? unavailable).split('\n')[0];

/** A line as it is told while the others are still measured. */
export function briefOf(figure) {
  const { words, value, failed } = figure;
  if (value === undefined) return `${words}: ${failed === undefined ? 'not measured' : 'FAILED'} (${reasonOf(figure)})`;
  const goal = figure.bound === undefined ? '' : `goal ${goalOf(figure)}`;
  return `${words}: ${[rangeOf(figure), goal, stateOf(figure)].filter(Boolean).join(', ')}`;
}
