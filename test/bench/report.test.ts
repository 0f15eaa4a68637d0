// What is made of a report: the README's section, and the picture.
import { expect, test } from 'vitest';
import { benchModule } from './support.ts';

interface Report {
  readonly machine: object;
  readonly settings: object;
  readonly figures: readonly object[];
}
interface Readme {
  withSpeed(readme: string, report: Report): string;
}
interface Picture {
  picture(report: Report): string;
}
const { withSpeed } = await benchModule<Readme>('report/readme.mjs');
const { picture } = await benchModule<Picture>('report/picture.mjs');

const value = { median: 0.25, min: 0.2, max: 0.3 };
const common = { unit: 'requests/s', sachet: 5000, other: 20_000, value };
const orders = {
  ...common,
  id: 'orders',
  words: 'orders / echo',
  bound: 0.4,
  direction: 'at least',
  verdict: { met: false, by: 0.375 },
};
const emulate = { id: 'emulateOrders', words: 'orders / emulate', unavailable: 'needs Node 24.0.0' };
const machine = { cpu: 'A CPU', cores: 2, node: 'v20.0.0', pinned: true, serverCore: '0', generatorCore: '1' };
const settings = { rounds: 5, roundSeconds: 2, warmUpSeconds: 6, connections: 50, starts: 10 };
const report = { machine, settings, figures: [orders, emulate] };
const readme =
  '# It\n\n## Speed\n\nWords that stay.\n\nMeasured on something older.\n\n| old |\n\n## More\n\nMeasured on nothing.\n';

test('the table takes the place of the older one, and nothing else moves', () => {
  const written = withSpeed(readme, report);
  expect(written).toMatch(/^# It\n\n## Speed\n\nWords that stay\.\n\nMeasured on A CPU, 2 cores, Node v20\.0\.0/);
  expect(written).toContain(
    '| orders / echo, requests/s | 5,000 | 20,000 | 0.250 (0.200 to 0.300) | ≥ 0.400 | not met, 38 % too low |',
  );
  expect(written).toContain('- orders / emulate: needs Node 24.0.0\n');
  expect(written).toMatch(/\n\n## More\n\nMeasured on nothing\.\n$/);
  expect(withSpeed(written, report)).toBe(written);
});

test('what has no rate beside others makes no picture, and it is said what does', () => {
  expect(() => picture({ ...report, figures: [emulate] })).toThrow('--only orders,products');
});

test('a README without the section is refused', () => {
  expect(() => withSpeed('# It\n', report)).toThrow('must have a section "Speed"');
});

test('the picture shows what was measured, the faster first, and leaves out what was not', () => {
  const labels = Array.from(picture(report).matchAll(/text-anchor="end">(.*?)</g), ([, label]) => label);
  expect(labels).toEqual(['node:http, JSON echo', 'Sachet']);
  expect(picture(report)).toContain('>4.00</text>');
});
