// Which reports are published together, and what is said of those that are not.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { benchModule } from './support.ts';

interface Report {
  readonly machine: object;
  readonly settings: object;
  readonly figures: readonly object[];
}
interface Source {
  readonly file: string;
  readonly report: Report;
}

const { merged } = await benchModule<{ merged(sources: Source[]): Report }>('report/merged.mjs');
const { readReport } = await benchModule<{ readReport(file: string): Source }>('report/read.mjs');

const orders = { id: 'orders', measurement: 'orders', value: { median: 0.25, min: 0.2, max: 0.3 } };
const start = { ...orders, id: 'start', measurement: 'start' };
const disturbed = { ...orders, serverBusy: { sachet: 0.2, other: 1 } };
const [machine, settings] = [{ cpu: 'A CPU', node: 'v20.0.0' }, { rounds: 5 }];
const source = (file: string, ...figures: object[]): Source => ({ file, report: { machine, settings, figures } });

describe('reports', () => {
  test('of one machine are one, in the order of the goals', () => {
    expect(merged([source('a', start), source('b', orders)]).figures).toEqual([orders, start]);
  });

  test('of two machines are none: the file and the difference are named', () => {
    const other = source('b', start);
    const report = { ...other.report, machine: { ...machine, node: 'v22.0.0' } };
    expect(() => merged([source('a', orders), { file: 'b', report }])).toThrow(
      'b is not measured as a is: node v22.0.0, not v20.0.0',
    );
  });

  test('with one measurement twice are none', () => {
    expect(() => merged([source('a', orders, start), source('b', orders)])).toThrow('orders is measured in a and b');
  });

  test('with a disturbed one are none, but where another file makes it good', () => {
    const page = { ...disturbed, id: 'page', measurement: 'page' };
    expect(() => merged([source('a', start, disturbed), source('b', page)])).toThrow(
      'others had the core during orders, page, in a and b; ' +
        'measure anew, and add the file: npm run bench -- --only orders,page --json FILE',
    );
    expect(merged([source('a', disturbed), source('b', orders)]).figures).toEqual([orders]);
    expect(merged([source('a', { ...disturbed, waits: true })]).figures).toHaveLength(1);
  });

  test('with a failed one tell it, but where another file makes it good', () => {
    const failed = { id: 'orders', measurement: 'orders', failed: 'no answer' };
    expect(merged([source('a', failed)]).figures).toEqual([failed]);
    expect(merged([source('a', failed), source('b', orders)]).figures).toEqual([orders]);
  });
});

describe('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sachet-merged-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (text: string) => {
    const file = join(folder, 'a.json');
    writeFileSync(file, text);
    return readReport(file);
  };

  test('of --json is read', () => {
    const { report } = source('a', orders);
    expect(read(JSON.stringify(report))).toEqual({ file: join(folder, 'a.json'), report });
  });

  test.each([
    ['{"machine":', 'a.json is no JSON'],
    ['null', 'a.json is no file of npm run bench -- --json FILE'],
    ['{"figures":[]}', 'a.json is no file of npm run bench -- --json FILE'],
    ['{"machine":{},"settings":{},"figures":[],"isQuick":true}', 'a.json is of --quick'],
  ])('%s is refused by its name', (text, words) => {
    expect(() => read(text)).toThrow(words);
  });
});
