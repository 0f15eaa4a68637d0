// What the benchmark's report tells as text, beside its figures.
import { expect, test } from 'vitest';
import { benchModule } from './support.ts';

const { formatReport } = await benchModule<{ formatReport(report: object): string }>('report/text.mjs');
const { briefOf } = await benchModule<{ briefOf(figure: object): string }>('report/figure.mjs');

const value = { median: 0.39, min: 0.2, max: 0.4 };
const orders = {
  id: 'orders',
  measurement: 'orders',
  words: 'orders / echo',
  unit: 'requests/s',
  bound: 0.4,
  usual: 0.2,
  direction: 'at least',
  sachet: 4000,
  other: 10_000,
  value,
  verdict: { met: false, by: 0.025 },
  serverBusy: { sachet: 0.9, other: 0.95 },
  byProcessorTime: { median: 0.41, min: 0.4, max: 0.42 },
  generatorBusy: 0.5,
};
const start = { id: 'start', measurement: 'start', words: 'start / node:http', unit: 'ms', value };
const idle = { id: 'idle', measurement: 'idle', words: 'idle', unit: 'MB', value };
const settings = { rounds: 5, roundSeconds: 2, warmUpSeconds: 6, connections: 50, starts: 10 };
const machine = { cpu: 'A CPU', cores: 2, node: 'v20.0.0', pinned: false, reason: 'no taskset' };
const text = (figures: object[], more: object = {}) =>
  formatReport({ machine, settings, isQuick: false, figures, journals: [], ...more });

test('a figure is told in a line as it is done', () => {
  expect(briefOf(orders)).toBe('orders / echo: 0.390 (0.200–0.400), goal ≥ 0.400, not met, 3 % too low');
  expect(briefOf({ ...orders, verdict: { met: false, by: 0.004 } })).toMatch('not met, less than 1 % too low');
  expect(briefOf({ words: 'start', failed: 'no dist\nat main' })).toBe('start: FAILED (no dist)');
  expect(briefOf({ words: 'emulate', unavailable: 'old Node' })).toBe('emulate: not measured (old Node)');
});

test('a disturbed figure is told with what it had, what it needs, and how it is measured anew', () => {
  const told = text([{ ...orders, serverBusy: { sachet: 0.47, other: 0.64 } }]);
  expect(told).toContain('3 % too low (disturbed)');
  expect(told).toContain(
    'orders: DISTURBED. In its worst round Sachet had 47 % of its core, the other 64 %; 75 % are needed. ' +
      'By processor time the ratio is 0.410 (0.400–0.420). ' +
      'Run it again on an idle machine: npm run bench -- --only orders',
  );
});

test('of which it cannot be told whether they were disturbed is said, but of memory it does not matter', () => {
  expect(text([orders, start, idle])).toContain('whether others disturbed it cannot be told of: start\n');
  expect(text([orders, idle])).not.toContain('cannot be told');
  expect(text([{ ...orders, waits: true }])).toContain('cannot be told of: orders\n');
});

test('how it was measured is told only of what was', () => {
  expect(text([start])).toContain('start: 10 alternating starts');
  expect(text([start])).not.toMatch(/rounds|generator/);
  expect(text([orders])).toContain('50 connections\ngenerator busy for at most 50 % of a round\n');
  expect(text([orders])).not.toContain('starts');
});

test('a journal that is full by its bytes says so', () => {
  const journals = [
    { measurement: 'orders', kept: 359, counted: 21_533 },
    { measurement: 'page', kept: 1000, counted: 999_999 },
  ];
  const told = text([orders], { journals });
  expect(told).toContain('journal behind orders: holds its last 359 calls of 21,533: all that its room is for\n');
  expect(told).toContain('journal behind page: holds its last 1,000 calls of 999,999\n');
});

test('what fails a run is told with the bounds that --quick judges by', () => {
  expect(text([orders])).toMatch(/\na goal that is missed fails no run$/);
  expect(text([orders, start], { isQuick: true })).toMatch(
    /--quick fails where one of these does not hold in any of 3 measurements \(bench\/usual.mjs\): orders ≥ 0.080; a goal that is missed fails no run$/,
  );
});
