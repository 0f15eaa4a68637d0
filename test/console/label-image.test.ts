// The label as an image in the fulfillment page: accessible, without styles or scripts, the same as the PDF.
import { expect, test } from 'vitest';
import { labelImage } from '../../src/console/pages/fulfillments.tsx';
import type { ShippingLabel } from '../../src/domain/labels.ts';
import { drawn, plain, textsOf } from '../label/drawn.ts';
import { barsOf } from '../label/pdf.ts';
import { readXml, type XmlElement } from '../node/xml.ts';

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

test('is an image that scales, with a description, and without styles, scripts or links', async () => {
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

test('hostile and odd texts are text', async () => {
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
])('has the texts and bars of the PDF at the same places: a label %s', async (_, change) => {
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
