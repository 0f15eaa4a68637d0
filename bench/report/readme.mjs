// The README's section on speed: its table, made of a report. All that stands there from its line "Measured on …" on is replaced.

import { goalOf, reasonOf, verdictOf } from './figure.mjs';
import { formatNumber, formatValue } from './numbers.mjs';
import { machineLine } from './trailer.mjs';

const heading = '\n## Speed\n';
const began = 'Measured on ';
const pictureLink = "![Rates of other servers beside Sachet's](docs/bench.svg)";

/** The text of the README with the section's table, and the line above it that says where it was measured. @throws without the section */
export function withSpeed(readme, report) {
  const start = readme.indexOf(began, readme.indexOf(heading) + 1);
  const end = readme.indexOf('\n## ', start);
  if (!readme.includes(heading) || start === -1 || end === -1) {
    throw new Error(`README.md must have a section "Speed" with a line that begins with "${began.trim()}"`);
  }
  return `${readme.slice(0, start)}${sectionOf(report)}\n${readme.slice(end)}`;
}

function sectionOf({ machine, settings, figures }) {
  const { rounds, roundSeconds, connections } = settings;
  const where = machineLine(machine).replace('machine: ', '');
  const how = `${rounds} alternating runs of ${roundSeconds} s, ${connections} connections`;
  const told = figures.filter(({ value }) => value !== undefined);
  const untold = figures.filter(({ value }) => value === undefined);
  const rows = [
    '| | Sachet | other | ratio of pairs, or value: median (min to max) | goal | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...told.map(rowOf),
  ];
  return [`${began}${where}; ${how}.`, '', pictureLink, '', ...rows, ...untoldLines(untold)].join('\n');
}

function rowOf(figure) {
  const { words, unit, sachet, other, value } = figure;
  const [median, min, max] = [value.median, value.min, value.max].map((number) => formatValue(figure, number));
  const side = (number) => (number === undefined ? '' : formatNumber(number));
  const cells = [
    unit === undefined ? words : `${words}, ${unit}`,
    side(sachet),
    side(other),
    `${median} (${min} to ${max})`,
  ];
  return `| ${[...cells, goalOf(figure), verdictOf(figure)].join(' | ')} |`.replaceAll('|  |', '| |');
}

function untoldLines(figures) {
  if (figures.length === 0) return [];
  return ['', 'Not measured:', '', ...figures.map((figure) => `- ${figure.words}: ${reasonOf(figure)}`)];
}
