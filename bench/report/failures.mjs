// What makes the benchmark end with 1, in sentences.
import { isFarOff, judged, wideBound } from '../verdict.mjs';
import { formatValue } from './numbers.mjs';

/** Failed measurements, journals that do not hold what they must, and by `--quick` figures that are far worse than usual each time. */
export function failuresOf({ isQuick, figures, journals }) {
  const failed = figures.filter((figure) => figure.failed);
  return [
    ...new Set(failed.map(tellFailed)),
    ...journals
      .filter(({ fault }) => fault)
      .map(({ measurement, fault }) => `the journal behind ${measurement}: ${fault}`),
    ...(isQuick ? figures.filter(isFarOff).map(tellFarOff) : []),
  ];
}

function tellFailed({ measurement, failed, isOutOfTime, setAside = [] }) {
  const each = isOutOfTime && setAside.length > 0 ? ` each of ${setAside.length + 1} times` : '';
  return `${measurement} failed${each}: ${failed}`;
}

function tellFarOff(figure) {
  const bound = formatValue(figure, wideBound(figure));
  return `${figure.words}: ${formatValue(figure, judged(figure))}${ofTries(figure)}, must be ${figure.direction} ${bound}`;
}

const ofTries = ({ setAside = [] }) =>
  setAside.length === 0 ? '' : `, the best of ${setAside.length + 1} measurements`;
