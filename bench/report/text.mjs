// The report as plain text: a line for each figure, then what is to be known of them, and what they were measured on.
import { briefOf, goalOf, rangeOf, stateOf } from './figure.mjs';
import { notesOf } from './notes.mjs';
import { formatNumber } from './numbers.mjs';
import { padded } from './padded.mjs';
import { trailerOf } from './trailer.mjs';

const header = ['', 'Sachet', 'other', 'ratio of pairs, or value: median (min–max)', 'goal', ''];
const numeric = new Set([1, 2, 3, 4]);

export function formatReport(report) {
  const { figures } = report;
  const [told, untold] = [true, false].map((isTold) => figures.filter(({ value }) => (value !== undefined) === isTold));
  const table = told.length === 0 ? [] : padded([header, ...told.map(rowOf)], numeric);
  return [...table, ...untold.map(briefOf), ...notesOf(figures), '', ...trailerOf(report)].join('\n');
}

function rowOf(figure) {
  const { words, unit, sachet, other } = figure;
  const name = unit === undefined ? words : `${words}, ${unit}`;
  return [name, shown(sachet), shown(other), rangeOf(figure), goalOf(figure), stateOf(figure)];
}

const shown = (value) => (value === undefined ? '' : formatNumber(value));
