// What a label URL downloads is a PDF that a reader opens: every offset and length in it is right.
import { describe, expect, test } from 'vitest';
import { changedFixtures } from '../support/fixture-files.ts';
import { labelled, labelUrlOf } from '../support/labels.ts';
import { fixtures, testSachet } from '../support/sachet.ts';

async function downloaded(id?: string, options: Parameters<typeof testSachet>[0] = {}) {
  const sachet = testSachet(options);
  return sachet.call('GET', await labelUrlOf(await sachet.login(), id));
}

/** The objects of a PDF by the offsets of its cross-reference table, which must be whole. */
function objectsOf(pdf: string): string[] {
  const start = Number(/startxref\n(\d+)\n%%EOF\n?$/.exec(pdf)?.[1]);
  const [, size = '', rows = ''] = /^xref\n0 (\d+)\n((?:\d{10} \d{5} [fn] \n)+)trailer\n/.exec(pdf.slice(start)) ?? [];
  const entries = rows.match(/.{19}\n/g) ?? [];
  expect(entries).toHaveLength(Number(size));
  expect(entries[0]).toBe('0000000000 65535 f \n');
  expect(pdf.slice(start)).toContain(`/Size ${size} `);
  return entries.slice(1).map((entry, index) => {
    const object = pdf.slice(Number(entry.slice(0, 10)));
    expect(object.startsWith(`${index + 1} 0 obj\n`)).toBe(true);
    return object.slice(0, object.indexOf('\nendobj\n'));
  });
}

/** The text lines of the page. */
const linesOf = (pdf: string): string[] =>
  Array.from(pdf.matchAll(/^\(((?:\\.|[^\\()])*)\) Tj/gm), ([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));

describe('the PDF', () => {
  test('is served as one, begins as one and ends as one', async () => {
    const { status, headers, text } = await downloaded();
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(text).toMatch(/^%PDF-1\.\d\n/);
    expect(text).toMatch(/\n%%EOF\n$/);
  });

  test('has one page of 4 by 6 inches, and lengths and offsets that are right', async () => {
    const { text } = await downloaded();
    const objects = objectsOf(text);
    const pages = objects.filter((object) => object.includes('/Type /Page '));
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain('/MediaBox [0 0 288 432]');
    expect(objects.find((object) => object.includes('/Type /Pages'))).toContain('/Count 1');
    const [, length, stream] = objects.flatMap(
      (object) => /\/Length (\d+) >>\nstream\n([\s\S]*)\nendstream$/.exec(object) ?? [],
    );
    expect(Buffer.byteLength(stream ?? '')).toBe(Number(length));
    expect(text).toMatch(/\/Root 1 0 R/);
    expect(objects[0]).toContain('/Type /Catalog');
  });

  test("says that it is no real label, and the shipment's data", async () => {
    const lines = linesOf((await downloaded()).text).join('\n');
    expect(lines).toContain('NOT FOR SHIPPING');
    for (const word of [labelled?.id, labelled?.tracking_info?.tracking_number, labelled?.shipment_order_number])
      expect(lines).toContain(word);
  });

  test('is sound for every fulfillment of the fixtures, and for the same one the same', async () => {
    const sachet = testSachet();
    const client = await sachet.login();
    const texts = new Set<string>();
    const own = fixtures.fulfillments.filter(({ brand_id }) => brand_id === fixtures.users[0]?.brand_id);
    for (const { id } of own) {
      const { text } = await sachet.call('GET', await labelUrlOf(client, id));
      expect(objectsOf(text)).toHaveLength(5);
      texts.add(text);
    }
    expect(texts.size).toBe(own.length);
    expect((await downloaded()).text).toBe((await downloaded()).text);
  });

  test('is sound whatever the names in it hold', async () => {
    const file = 'fulfillments.json';
    const odd = changedFixtures({ file, path: ['fulfillments', 0, 'order_lines', 0, 'name'], to: 'A (b\\) ( Ünï 😀' });
    const { text } = await downloaded(labelled?.id, { fixtures: odd });
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
    expect(objectsOf(text)).toHaveLength(5);
    expect(linesOf(text).find((line) => line.startsWith('A'))).toMatch(/^A \(b\\\) \( \?n\? \?+$/);
  });
});
