// The barcode of a shipping label, read by the scanner of another library.
import { expect, test } from 'vitest';
import { run, withNumber } from './drawn.ts';
import { barsOf, scanned } from './pdf.ts';

test.each([
  ['UPS', '1ZA10E830367228528', '1Z A10 E83 03 6722 8528'],
  ['USPS', '9400190317456213828476', '9400 1903 1745 6213 8284 76'],
  ['UPU', 'LZ782293934US', 'LZ 782 293 934 US'],
  ['FedEx', '796325727437', '7963 2572 7437'],
  ['DHL', '4856196516', '48 5619 6516'],
])(
  'of %s: the scanner reads %s, people read %s, and bars and quiet zones are large enough',
  async (_, number, groups) => {
    const page = await withNumber(number);
    expect(scanned(page)).toBe(number);
    const shown = page.texts.find(({ text }) => text === groups);
    expect((shown?.x ?? 0) + (shown?.width ?? 0) / 2).toBeCloseTo(page.width / 2, 1);

    const bars = barsOf(page);
    const module = Math.min(...bars.map(({ width }) => width));
    expect(module).toBeGreaterThanOrEqual(0.75);
    for (const { width, height } of bars) {
      expect(Math.abs(width / module - Math.round(width / module))).toBeLessThan(0.1);
      expect(height).toBeGreaterThanOrEqual(0.75 * 72);
    }
    const [first, last] = [bars[0], bars.at(-1)];
    if (!first || !last) throw new Error('The page has no bars.');
    const [left, right] = [first.x - 10 * module, last.x + last.width + 10 * module];
    const beside = [...page.fills.filter((fill) => !bars.includes(fill)), ...page.texts].filter(
      ({ y, ...item }) => y + ('height' in item ? item.height : 0) > first.y && y <= first.y + first.height,
    );
    expect(beside.length).toBeGreaterThanOrEqual(2);
    for (const { x, width } of beside) expect(x + width <= left || x >= right).toBe(true);
  },
);

test('is drawn for printable ASCII that fits; any number is there as text', async () => {
  for (const number of ['x'.repeat(54), '7'.repeat(112), '^FNC1 (b\\) %'])
    expect(scanned(await withNumber(number)), number).toBe(number);
  for (const number of ['x'.repeat(60), '7'.repeat(113), '1Z😀', 'Ünï', 'tab\there', '\ud800', ''])
    expect(scanned(await withNumber(number)), number).toBeUndefined();
  const long = Array.from({ length: 200 }, (_, index) => index % 10).join('');
  expect(run(await withNumber(long))).toContain(long);
});
