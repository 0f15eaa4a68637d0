// The barcode of a shipping label, read by another library's scanner.
import { describe, expect, test } from 'vitest';
import { barsOf, scanned } from '../support/pdf.ts';
import { fixtures } from '../support/sachet.ts';
import { run, withNumber } from './drawn.ts';

describe('the barcode', () => {
  const carriers = [
    ['UPS', '1ZA10E830367228528', '1Z A10 E83 03 6722 8528'],
    ['USPS', '9400190317456213828476', '9400 1903 1745 6213 8284 76'],
    ['UPU', 'LZ782293934US', 'LZ 782 293 934 US'],
    ['FedEx', '796325727437', '7963 2572 7437'],
    ['DHL', '4856196516', '48 5619 6516'],
  ] as const;

  test.each(carriers)('of %s is read by a scanner as %s, and by people as %s', async (_, number, groups) => {
    const page = await withNumber(number);
    expect(scanned(page)).toBe(number);
    const shown = page.texts.find(({ text }) => text === groups);
    expect((shown?.x ?? 0) + (shown?.width ?? 0) / 2).toBeCloseTo(page.width / 2, 1);
  });

  test.each(carriers)('of %s keeps its measures', async (_, number) => {
    const page = await withNumber(number);
    const bars = barsOf(page);
    const module = Math.min(...bars.map(({ width }) => width));
    expect(module).toBeGreaterThanOrEqual(0.75);
    for (const { width, height } of bars) {
      expect(Math.abs(width / module - Math.round(width / module))).toBeLessThan(0.1);
      expect(height).toBeGreaterThanOrEqual(0.75 * 72);
    }
    const [first, last] = [bars[0], bars.at(-1)];
    if (!first || !last) throw new Error('there are no bars');
    const quiet = { from: first.x - 10 * module, to: last.x + last.width + 10 * module };
    const isBeside = ({ y, height = 0 }: { y: number; height?: number }) =>
      y + height > first.y && y <= first.y + first.height;
    const beside = [...page.fills.filter((fill) => !bars.includes(fill)), ...page.texts].filter(isBeside);
    expect(beside.length).toBeGreaterThanOrEqual(2);
    for (const { x, width } of beside) expect(x + width <= quiet.from || x >= quiet.to).toBe(true);
  });

  test('and the number stand on the label of every fixture', async () => {
    const numbers = fixtures.fulfillments.flatMap(({ tracking_info }) => tracking_info?.tracking_number ?? []);
    expect(numbers.length).toBeGreaterThan(20);
    for (const number of numbers) {
      const page = await withNumber(number);
      expect([scanned(page), run(page).includes(number)]).toEqual([number, true]);
    }
  });

  test.each([
    ['x'.repeat(54), true],
    ['7'.repeat(112), true],
    ['x'.repeat(60), false],
    ['7'.repeat(113), false],
    ['x'.repeat(200), false],
    ['1Z😀', false],
    ['Ünï', false],
    ['tab\there', false],
    ['\ud800', false],
    ['', false],
    ['^FNC1 (b\\) %', true],
  ])('of %j is drawn where it is ASCII and fits: %s', async (number, isDrawn) => {
    const page = await withNumber(number);
    expect(scanned(page)).toBe(isDrawn ? number : undefined);
  });

  test('that does not fit leaves its number as text, whole', async () => {
    const number = Array.from({ length: 200 }, (_, index) => index % 10).join('');
    expect(run(await withNumber(number))).toContain(number);
  });
});
