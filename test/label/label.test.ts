// The shipping label: its barcode, which the scanner of another library reads, texts that the fonts lack or that are long, and its image in the console.
import { expect, test } from 'vitest';
import { labelImage } from '../../src/console/pages/fulfillments.tsx';
import type { ShippingLabel } from '../../src/domain/labels.ts';
import { readXml, type XmlElement } from '../node/xml.ts';
import { barsOf, drawn, plain, scanned, textsOf } from './pdf.ts';

const withNumber = (trackingNumber: string) => drawn({ carrier: { name: 'USPS', method: 'Express', trackingNumber } });

test.each([
  ['UPS', '1ZA10E830367228528', '1Z A10 E83 03 6722 8528'],
  ['USPS', '9400190317456213828476', '9400 1903 1745 6213 8284 76'],
  ['UPU', 'LZ782293934US', 'LZ 782 293 934 US'],
  ['FedEx', '796325727437', '7963 2572 7437'],
  ['DHL', '4856196516', '48 5619 6516'],
])(
  'the barcode of %s: the scanner reads %s, people read %s, bars and quiet zones are large enough',
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

test('the barcode is drawn for printable ASCII that fits; any number is there as text', async () => {
  for (const number of ['x'.repeat(54), '7'.repeat(112), '^FNC1 (b\\) %'])
    expect(scanned(await withNumber(number)), number).toBe(number);
  for (const number of ['x'.repeat(60), '7'.repeat(113), '1Z😀', 'Ünï', 'tab\there', '\ud800', ''])
    expect(scanned(await withNumber(number)), number).toBeUndefined();
  const long = Array.from({ length: 200 }, (_, index) => index % 10).join('');
  // A tracking number is shown in groups.
  const texts = textsOf(await withNumber(long));
  expect(texts.join('').replaceAll(' ', '')).toContain(long);
});

test('letters that the fonts lack are replaced', async () => {
  const replaced = {
    'Paweł, Łódź, Ünï Ørsted': 'Pawel, Lódz, Ünï Ørsted',
    'Dvořák €5 “now” — ok…': 'Dvorák €5 “now” — ok…',
    'ﬁne ½ Ⅷ': 'fine ½ VIII',
    'a\u0301\u202e\u200d b': 'á b',
    '中文 😀': '?? ?',
    'a\ud800b\udc00\u0000\u001f': 'a?b???',
    'tab\there\r\n(\\)': 'tab here  (\\)',
  };
  for (const [text, shown] of Object.entries(replaced))
    expect(textsOf(await drawn({ to: ['x', text] })), text).toContain(shown);
});

test('an address wraps, then gets smaller, and keeps its postal code however long the rest is', async () => {
  const to = [
    'Wilhelmina Alexandra Montgomery-Featherstonehaugh',
    `${'12345 Saint Bartholomew Churchyard Boulevard East, '.repeat(2).slice(0, 94)}Unit 7`,
    `${'Llanfair'.repeat(6)}, Newfoundland and Labrador A1A\u00a01A1`,
    'South Georgia and the South Sandwich Islands',
  ];
  const longest = textsOf(await drawn({ to }));
  expect(longest.join('').replaceAll(' ', '')).toContain(to.join('').replaceAll(/\s/g, ''));
  const [name = '', , , country = ''] = to;
  const unlimited = [name.repeat(99), 'W'.repeat(99), `Gander, ${'Labrador '.repeat(99)}A1A\u00a01A1`, country];
  const texts = textsOf(await drawn({ to: unlimited }));
  expect(texts.filter((text) => text.endsWith('…'))).toHaveLength(3);
  expect(texts).toEqual(expect.arrayContaining([expect.stringMatching(/Labrador A1A 1A1$/), country]));
});

test('contents wrap; of those that do not fit, the first are listed and the rest is counted', async () => {
  const contents = Array.from({ length: 30 }, (_, index) => `Pack ${index + 1}`);
  const packs = async (some: string[]) =>
    textsOf(await drawn({ contents: some })).filter((text) => /Pack|more/.test(text));
  expect(await packs(contents.slice(0, 5))).toEqual(contents.slice(0, 5));
  expect(await packs(contents)).toEqual([...contents.slice(0, 4), '+ 26 more']);
  const long = (pack: string) => `${pack} ${'Magnesium + '.repeat(5)}Zinc`;
  const shown = textsOf(await drawn({ contents: contents.map(long) })).join(' ');
  expect(shown).toContain(`${long('Pack 1')} ${long('Pack 2')} + 28 more`);
  const tooLong = textsOf(await drawn({ contents: [`${'W'.repeat(999)} end`, 'Pack 2'] }));
  expect(tooLong).toEqual(
    expect.arrayContaining([expect.stringMatching(/^W+…$/), expect.stringMatching(/end$/), 'Pack 2']),
  );
});

test.each(['W', '😀', '\n', ''])('many long texts of %j stay in their boxes', async (unit) => {
  const text = unit.repeat(10_000);
  const lines = Array<string>(unit === '' ? 0 : 1000).fill(text);
  const page = await drawn({
    fulfillmentId: text,
    carrier: { name: text, method: text, trackingNumber: text },
    from: lines,
    to: lines,
    orderNumber: text,
    weightGrams: 1.23e21,
    contents: lines,
    createdAt: text,
    updatedAt: text,
  });
  const level = page.texts.filter(({ degrees }) => degrees === 0);
  const edges = page.fills.filter(({ width, height }) => width < 3 && height > 40);
  expect([level.length > 0, edges.length > 0]).toEqual([true, true]);
  for (const { x, y, width } of level) {
    expect([x >= 8, x + width <= 280, y > 8, y < 424]).toEqual([true, true, true, true]);
    const isCrossed = (edge: (typeof edges)[number]) =>
      y > edge.y && y < edge.y + edge.height && x < edge.x && x + width > edge.x;
    expect(edges.filter(isCrossed)).toEqual([]);
  }
  for (const one of level)
    for (const other of level.filter((text) => text !== one && Math.abs(text.y - one.y) < 4))
      expect(one.x + one.width <= other.x || other.x + other.width <= one.x).toBe(true);
});

async function image(change: Partial<ShippingLabel> = {}) {
  // XML readers know the apostrophe by its name.
  const markup = String(await labelImage({ ...plain, ...change })).replaceAll('&#39;', '&apos;');
  const svg = readXml(`<?xml version="1.0" encoding="UTF-8"?>\n${markup}`);
  const allOf = (element: XmlElement): XmlElement[] => [element, ...element.children.flatMap(allOf)];
  const elements = allOf(svg);
  const named = (name: string) => elements.filter((element) => element.name === name);
  const labels = named('text');
  return { svg, elements, bars: named('rect'), labels, texts: labels.map((one) => one.text.trim()) };
}

test('the image in the console scales, has a description, and has no styles, scripts or links', async () => {
  const { svg, elements, texts } = await image();
  expect(svg.attributes).toMatchObject({ role: 'img', viewBox: '0 0 288 432', xmlns: 'http://www.w3.org/2000/svg' });
  expect(svg.attributes['aria-label']).toBe(
    'Shipping label: USPS Ground Advantage, 9400190317456213828476; to Ada Lovelace, 1 Main Street, Springfield, Illinois 62701, United States; from Meridian for Daily Grove Columbus, Ohio 43215; order SO-40257; contents: Bright Vitamin C, Omega 3',
  );
  expect(texts).toEqual(expect.arrayContaining([...plain.to, ...plain.from, ...plain.contents, plain.orderNumber]));
  expect(texts.map((text) => text.replaceAll(' ', ''))).toContain('9400190317456213828476');
  expect(new Set(elements.map(({ name }) => name))).toEqual(new Set(['svg', 'rect', 'text']));
  const names = elements.flatMap(({ attributes }) => Object.keys(attributes));
  expect(names.filter((name) => /^(style|on.*|href|xlink:.*|id)$/.test(name))).toEqual([]);
});

test('hostile and odd texts are text in the image', async () => {
  const hostile = `<script>alert("1")</script>&'x`;
  const carrier = { name: hostile, method: hostile, trackingNumber: hostile };
  const lists = { from: [hostile], to: [hostile, hostile], contents: [hostile] };
  const single = { fulfillmentId: hostile, orderNumber: hostile, createdAt: hostile };
  const { svg, elements, texts } = await image({ ...single, ...lists, carrier });
  expect(elements.map(({ name }) => name)).not.toContain('script');
  expect(svg.attributes['aria-label']).toContain(`to ${hostile}, ${hostile}; from ${hostile}`);
  expect(texts.filter((text) => text === hostile).length).toBeGreaterThan(3);
  for (const text of ['', ' ', '😀', 'a\u0301', '中文', 'x'.repeat(10_000)])
    expect((await image({ to: [text, text], contents: [text], orderNumber: text })).texts).not.toContain('');
});

test.each<[string, Partial<ShippingLabel>]>([
  ['plain', {}],
  ['without a carrier', { carrier: null }],
  ['with letters that are cut and replaced', { to: ['Paweł 中文', 'w'.repeat(99), `O'Hara & Sons <x>`] }],
  ['with more contents than fit', { contents: Array.from({ length: 9 }, (_, n) => `Pack ${n}`) }],
  ['whose number is no barcode', { carrier: { name: 'X', method: 'Y', trackingNumber: '😀'.repeat(30) } }],
])('the image has the texts and bars of the PDF at the same places: a label %s', async (_, change) => {
  const [{ labels, texts, bars }, pdf] = await Promise.all([image(change), drawn(change)]);
  expect(texts.toSorted()).toEqual(textsOf(pdf).toSorted());
  for (const { text, attributes } of labels) {
    const near = ({ x, y }: { x: number; y: number }) =>
      Math.abs(x - Number(attributes.x)) < 1 && Math.abs(y - Number(attributes.y)) < 1;
    const [same, ...others] = pdf.texts.filter(near);
    expect([same?.text, others]).toEqual([text.trim(), []]);
    expect(same?.width).toBeCloseTo(Number(attributes.textLength), 0);
  }
  const expected = barsOf(pdf);
  expect(expected.length > 30).toBe(!('carrier' in change));
  const top = expected[0]?.y ?? -1;
  const drawnBars = bars.filter(({ attributes }) => Math.abs(Number(attributes.y) - top) < 0.1);
  const sides = ['x', 'width', 'height'] as const;
  const rounded = (bar: Readonly<Record<string, unknown>>) => sides.map((side) => Math.round(Number(bar[side]) * 5));
  expect(drawnBars.map(({ attributes }) => rounded(attributes))).toEqual(expected.map((bar) => rounded({ ...bar })));
});
