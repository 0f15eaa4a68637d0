// The report as plain text: a line for each figure, then what it was measured on.

import { isDisturbed } from '../verdict.mjs';
import { formatNumber, formatValue } from './numbers.mjs';
import { padded } from './padded.mjs';

const header = ['', 'Sachet', 'other', 'value (median, min–max)', 'goal', ''];
const numeric = new Set([1, 2, 3, 4]);

export function formatReport({ machine, settings, figures, journals }) {
  const rows = figures.filter(({ value }) => value !== undefined).map(rowOf);
  const lines = [
    ...padded([header, ...rows], numeric),
    ...figures.filter(({ value }) => value === undefined).map(untold),
  ];
  return [
    ...lines,
    ...notesOf(figures),
    '',
    ...journals.map(journalLine),
    machineLine(machine),
    settingsLine(settings),
    generatorLine(figures),
  ].join('\n');
}

function rowOf(figure) {
  const { words, unit, sachet, other, value } = figure;
  const [median, min, max] = [value.median, value.min, value.max].map((number) => formatValue(figure, number));
  return [
    unit === undefined ? words : `${words}, ${unit}`,
    shown(sachet),
    shown(other),
    `${median} (${min}–${max})`,
    goalOf(figure),
    `${verdictOf(figure)}${isDisturbed(figure) ? ' (disturbed)' : ''}`.trim(),
  ];
}

const shown = (value) => (value === undefined ? '' : formatNumber(value));

export function goalOf(figure) {
  return figure.bound === undefined
    ? ''
    : `${figure.direction === 'at least' ? '≥' : '≤'} ${formatValue(figure, figure.bound)}`;
}

export function verdictOf({ verdict, direction }) {
  if (verdict === undefined) return '';
  if (verdict.met) return 'met';
  return `not met, ${(verdict.by * 100).toFixed(0)} % too ${direction === 'at least' ? 'low' : 'high'}`;
}

function untold({ words, failed, unavailable }) {
  return failed === undefined ? `${words}: not measured (${unavailable})` : `${words}: FAILED (${failed})`;
}

const notesOf = (figures) =>
  figures.flatMap((figure) =>
    [...(figure.notes ?? []), ...disturbances(figure)].map((note) => `  ${figure.id}: ${note}`),
  );

function disturbances(figure) {
  if (!isDisturbed(figure)) return [];
  const { serverBusy, byProcessorTime } = figure;
  const { median, min, max } = byProcessorTime;
  const byTime = `by processor time the ratio is ${median.toFixed(3)} (${min.toFixed(3)}–${max.toFixed(3)})`;
  const shares = `Sachet ${percent(serverBusy.sachet)}, other ${percent(serverBusy.other)}`;
  return [`DISTURBED, others had the servers' core: at work for so much of their worst round: ${shares}; ${byTime}`];
}

const percent = (share) => `${(share * 100).toFixed(0)} %`;

function journalLine({ measurement, kept, counted, fault }) {
  return `journal behind ${measurement}: ${fault ?? `holds its last ${kept} calls of ${formatNumber(counted)}`}`;
}

export function machineLine({ cpu, cores, node, ...pinning }) {
  const pinned = pinning.pinned
    ? `servers on core ${pinning.serverCore}, load on core ${pinning.generatorCore}`
    : `not pinned (${pinning.reason})`;
  return `machine: ${cpu}, ${cores} cores, Node ${node}, ${pinned}`;
}

function settingsLine({ rounds, roundSeconds, warmUpSeconds, starts, connections }) {
  return `${rounds} alternating rounds of ${roundSeconds} s after ${warmUpSeconds} s of warm-up, ${connections} connections; ${starts} starts`;
}

function generatorLine(figures) {
  const busy = Math.max(0, ...figures.map(({ generatorBusy = 0 }) => generatorBusy));
  return `generator busy for at most ${percent(busy)} of a round`;
}
