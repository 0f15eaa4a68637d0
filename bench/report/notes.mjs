// What is told below the figures: what they were measured of, which of them others disturbed, and of which that cannot be told.
import { canTellDisturbance, isDisturbed, judged, leastShare } from '../verdict.mjs';
import { rangeOf, reasonOf } from './figure.mjs';
import { formatValue, percent } from './numbers.mjs';

export function notesOf(figures) {
  const notes = figures.flatMap((figure) =>
    [...(figure.notes ?? []), ...triesOf(figure), ...disturbances(figure)].map((note) => `  ${figure.id}: ${note}`),
  );
  return [...notes, ...untellable(figures)];
}

function triesOf({ setAside = [] }) {
  if (setAside.length === 0) return [];
  const told = setAside.map((figure) => (figure.failed ? reasonOf(figure) : formatValue(figure, judged(figure))));
  return [`measured ${setAside.length + 1} times; set aside: ${told.join(', ')}`];
}

function disturbances(figure) {
  if (!isDisturbed(figure)) return [];
  const { sachet, other } = figure.serverBusy;
  const shares = `Sachet had ${percent(sachet)} of its core, the other ${percent(other)}; ${percent(leastShare)} are needed`;
  const byTime = `By processor time the ratio is ${rangeOf(figure, figure.byProcessorTime)}`;
  const again = `Run it again on an idle machine: npm run bench -- --only ${figure.measurement}`;
  return [`DISTURBED. In its worst round ${shares}. ${byTime}. ${again}`];
}

function untellable(figures) {
  const told = figures.filter((figure) => figure.value !== undefined && !isOfMemory(figure));
  const names = new Set(told.filter((figure) => !canTellDisturbance(figure)).map(({ measurement }) => measurement));
  return names.size === 0 ? [] : [`  whether others disturbed it cannot be told of: ${[...names].join(', ')}`];
}

const isOfMemory = ({ unit, valueUnit }) => (unit ?? valueUnit) === 'MB';
