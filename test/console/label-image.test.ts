// The label as an image within a page: well-formed, told to who does not see it, and the same label as the PDF.
import { describe, expect, test } from 'vitest';
import { labelImage } from '../../src/console/pages/fulfillments.tsx';
import type { ShippingLabel } from '../../src/domain/labels.ts';
import { drawn, plain, textsOf } from '../label/drawn.ts';
import { barsOf } from '../support/pdf.ts';
import { readXml, type XmlElement } from '../support/xml.ts';

async function svg(change: Partial<ShippingLabel> = {}) {
  const markup = String(await labelImage({ ...plain, ...change }));
  // XML has this apostrophe, too; the strict reader knows it by its name alone.
  const named = markup.replaceAll('&#39;', '&apos;');
  return { markup, image: readXml(`<?xml version="1.0" encoding="UTF-8"?>\n${named}`) };
}

const all = (element: XmlElement): XmlElement[] => [element, ...element.children.flatMap(all)];
const named = (image: XmlElement, name: string) => all(image).filter((element) => element.name === name);
const texts = (image: XmlElement): string[] => named(image, 'text').map(({ text }) => text.trim());

const hostile = `<script>alert("1")</script>&'x`;

describe('the image', () => {
  test('is one image of the label’s size, which scales and is told in words', async () => {
    const { image } = await svg();
    expect(image).toMatchObject({
      name: 'svg',
      attributes: { role: 'img', viewBox: '0 0 288 432', xmlns: 'http://www.w3.org/2000/svg' },
    });
    expect(image.attributes['aria-label']).toBe(
      'Shipping label: USPS Ground Advantage, 9400190317456213828476; to Ada Lovelace, 1 Main Street, Springfield, Illinois 62701, United States; from Meridian for Daily Grove Columbus, Ohio 43215; order SO-40257; contents: Bright Vitamin C, Omega 3',
    );
  });

  test('has the address and the tracking number as text', async () => {
    const shown = texts((await svg()).image);
    expect(shown).toEqual(expect.arrayContaining([...plain.to, ...plain.from, ...plain.contents, plain.orderNumber]));
    expect(shown.map((text) => text.replaceAll(' ', ''))).toContain('9400190317456213828476');
  });

  test('without a carrier says so, in words too, and has no bars', async () => {
    const { image } = await svg({ carrier: null });
    expect(texts(image)).toContain('Carrier not assigned');
    expect(image.attributes['aria-label']).toContain('carrier not assigned; to Ada Lovelace');
    expect(named(image, 'rect').length).toBeLessThan(30);
  });

  test('has no style of its own, no script and no address to load from', async () => {
    const { image } = await svg();
    const elements = all(image);
    expect(new Set(elements.map(({ name }) => name))).toEqual(new Set(['svg', 'rect', 'text']));
    const names = elements.flatMap(({ attributes }) => Object.keys(attributes));
    expect(names.filter((name) => /^(style|on.*|href|xlink:.*|id)$/.test(name))).toEqual([]);
  });
});

describe('hostile text', () => {
  test('is text wherever it stands', async () => {
    const { image, markup } = await svg({
      fulfillmentId: hostile,
      carrier: { name: hostile, method: hostile, trackingNumber: hostile },
      from: [hostile],
      to: [hostile, hostile],
      orderNumber: hostile,
      contents: [hostile],
      createdAt: hostile,
    });
    expect(markup).not.toMatch(/<script|alert\("/);
    expect(named(image, 'script')).toEqual([]);
    expect(image.attributes['aria-label']).toContain(`to ${hostile}, ${hostile}; from ${hostile}`);
    expect(texts(image).filter((text) => text === hostile).length).toBeGreaterThan(3);
  });

  test.each(['', ' ', '😀', 'a\u0301', '中文', 'x'.repeat(10_000)])('leaves it well-formed: %#', async (text) => {
    const { image } = await svg({ to: [text, text], contents: [text], orderNumber: text });
    expect(image.name).toBe('svg');
    expect(texts(image)).not.toContain('');
  });
});

describe('it is the same label as the PDF', () => {
  const labels: [string, Partial<ShippingLabel>][] = [
    ['a plain one', {}],
    ['one without a carrier', { carrier: null }],
    ['one with letters that are cut and replaced', { to: ['Paweł 中文', 'w'.repeat(99), `O'Hara & Sons <x>`] }],
    ['one with more contents than there is room for', { contents: Array.from({ length: 9 }, (_, n) => `Pack ${n}`) }],
    ['one whose number is no barcode', { carrier: { name: 'X', method: 'Y', trackingNumber: '😀'.repeat(30) } }],
  ];

  test.each(labels)('%s: the same texts', async (_, change) => {
    const [{ image }, page] = await Promise.all([svg(change), drawn(change)]);
    expect(texts(image).toSorted()).toEqual(textsOf(page).toSorted());
  });

  test.each(labels)('%s: each text at its place, as wide', async (_, change) => {
    const [{ image }, page] = await Promise.all([svg(change), drawn(change)]);
    for (const { text, attributes } of named(image, 'text')) {
      const near = page.texts.filter(
        ({ x, y }) => Math.abs(x - Number(attributes.x)) < 1 && Math.abs(y - Number(attributes.y)) < 1,
      );
      expect(near).toMatchObject([{ text: text.trim() }]);
      expect(near[0]?.width).toBeCloseTo(Number(attributes.textLength), 0);
    }
  });

  test('the same bars', async () => {
    const [{ image }, page] = await Promise.all([svg(), drawn()]);
    const expected = barsOf(page);
    expect(expected.length).toBeGreaterThan(30);
    const top = expected[0]?.y ?? 0;
    const bars = named(image, 'rect').filter(({ attributes }) => Math.abs(Number(attributes.y) - top) < 0.1);
    expect(bars.length).toBe(expected.length);
    for (const [index, bar] of expected.entries())
      for (const side of ['x', 'width', 'height'] as const)
        expect(Number(bars[index]?.attributes[side])).toBeCloseTo(bar[side], 1);
  });
});
