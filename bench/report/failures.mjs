// What makes the benchmark end with 1, in sentences.
import { isDisturbed, wideBound } from '../verdict.mjs';
import { formatValue } from './numbers.mjs';

/** Failed measurements, journals that do not hold what they must, and by `--quick` figures that are far worse than usual. */
export function failuresOf({ isQuick, figures, journals }) {
  const failed = figures.filter((figure) => figure.failed);
  return [
    ...new Set(failed.map((figure) => `${figure.measurement} failed: ${figure.failed}`)),
    ...journals
      .filter(({ fault }) => fault)
      .map(({ measurement, fault }) => `the journal behind ${measurement}: ${fault}`),
    ...(isQuick ? figures.filter(isFarOff).map(tellFarOff) : []),
  ];
}

function isFarOff(figure) {
  if (figure.bound === undefined || figure.value === undefined) return false;
  const bound = wideBound(figure);
  return figure.direction === 'at least' ? judged(figure) < bound : judged(figure) > bound;
}

/** Where others had a server's core the rates say how much of it they had; what the server did in its own time says how fast it is. */
const judged = (figure) => (isDisturbed(figure) ? figure.byProcessorTime : figure.value).median;

function tellFarOff(figure) {
  const bound = formatValue(figure, wideBound(figure));
  return `${figure.words}: ${formatValue(figure, judged(figure))}, must be ${figure.direction} ${bound}`;
}
