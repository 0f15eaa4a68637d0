// What is told below the figures: what they were measured of, which of them others disturbed, and of which that cannot be told.
import { canTellDisturbance, isDisturbed, leastShare } from '../verdict.mjs';
import { rangeOf } from './figure.mjs';
import { percent } from './numbers.mjs';

export function notesOf(figures) {
  const notes = figures.flatMap((figure) =>
    [...(figure.notes ?? []), ...disturbances(figure)].map((note) => `  ${figure.id}: ${note}`),
  );
  return [...notes, ...untellable(figures)];
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
