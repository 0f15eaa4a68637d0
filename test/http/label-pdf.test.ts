// What a label URL downloads is a shipping label that a warehouse could use: read back and scanned by other libraries.
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { labelPdf } from '../../src/http/storage/label-pdf.ts';
import { drawn, plain, textsOf } from '../label/drawn.ts';
import { labelled } from '../support/labels.ts';
import { barsOf, pageOf, pagesOf, scanned } from '../support/pdf.ts';
import { fixtures, noon, passwordOf } from '../support/sachet.ts';

describe('the page', () => {
  test('is one, of 4 by 6 inches, in a file that begins and ends as a PDF', async () => {
    const bytes = await labelPdf(plain);
    const file = Buffer.from(bytes).toString('latin1');
    expect([file.slice(0, 7), file.trimEnd().slice(-5)]).toEqual(['%PDF-1.', '%%EOF']);
    const pages = await pagesOf(bytes);
    expect(pages.map(({ width, height }) => [width, height])).toEqual([[4 * 72, 6 * 72]]);
  });

  test('says who sends what to whom, and by which service', async () => {
    const texts = textsOf(await drawn());
    const words = ['USPS GROUND ADVANTAGE', 'FROM:', 'SHIP', 'TO:', 'SO-40257', '183 g', '6.5 oz', 'DATE 2026-08-06'];
    for (const word of [...words, ...plain.from, ...plain.to, ...plain.contents, plain.fulfillmentId])
      expect(texts).toContain(word);
  });

  test('says in small that it is no real label, and SAMPLE in large across, clear of the bars', async () => {
    const page = await drawn();
    expect(textsOf(page)).toContain('Sandbox label - not for shipping');
    const sample = page.texts.find(({ text }) => text === 'SAMPLE');
    expect(sample?.degrees).toBeGreaterThan(30);
    expect(sample?.width).toBeGreaterThan(3.5 * 72);
    expect(sample?.y).toBeLessThan(barsOf(page)[0]?.y ?? 0);
  });

  test('shows the receiver larger than the sender', async () => {
    const { texts } = await drawn({ from: ['The same words'], to: ['The same words'] });
    const same = texts.filter(({ text }) => text === 'The same words').toSorted((one, other) => one.y - other.y);
    const [from = 0, to = 0] = same.map(({ width }) => width);
    expect(to).toBeGreaterThan(from * 1.3);
  });

  test.each([
    [0, '0 g', '0 oz'],
    [300, '300 g', '10.6 oz'],
    [453.59, '453.6 g', '1 lb 0 oz'],
    [1234, '1234 g', '2 lb 11.5 oz'],
  ])('says the weight of %d grams also in pounds and ounces', async (weightGrams, metric, pounds) => {
    expect(textsOf(await drawn({ weightGrams }))).toEqual(expect.arrayContaining([metric, pounds]));
  });

  test('without a carrier has no barcode and says so in its place', async () => {
    const page = await drawn({ carrier: null });
    expect(textsOf(page)).toContain('Carrier not assigned');
    expect(barsOf(page)).toEqual([]);
    expect(textsOf(page)).toEqual(expect.arrayContaining([...plain.to, 'SAMPLE']));
  });
});

describe('the file', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is the same for the same label, whenever it is made, and another for another', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const early = await labelPdf(plain);
    vi.setSystemTime('2030-01-01');
    const [late, sameTime] = await Promise.all([labelPdf({ ...plain }), labelPdf(plain)]);
    expect(Buffer.from(late).equals(early)).toBe(true);
    expect(Buffer.from(sameTime).equals(early)).toBe(true);
    for (const change of [{ orderNumber: 'SO-1' }, { weightGrams: 1 }, { updatedAt: noon }, { carrier: null }])
      expect(Buffer.from(await labelPdf({ ...plain, ...change })).equals(early)).toBe(false);
  });

  test('says when the label was made and changed', async () => {
    const text = Buffer.from(await labelPdf(plain)).toString('latin1');
    expect(text).toContain('/CreationDate (D:20260806145720Z)');
    expect(text).toContain('/ModDate (D:20260810195436Z)');
  });

  test('needs its libraries only when it is made', async () => {
    const input = fileURLToPath(new URL('../../src/http/storage/label-pdf.ts', import.meta.url));
    const bundle = await rolldown({ input, external: /^[^./]/ });
    const [{ imports, dynamicImports }] = (await bundle.generate()).output;
    expect(imports).toEqual([]);
    expect(dynamicImports.toSorted()).toEqual(['@cantoo/pdf-lib', 'bwip-js/generic']);
    await bundle.close();
  });

  test('is what a label URL downloads', async () => {
    const sachet = createEngine({ fixtures, clock: noon, randomSeed: 'test' });
    const ask = (path: string, init?: RequestInit) =>
      sachet.fetch(new Request(new URL(path, 'http://localhost:4010'), init));
    const body = JSON.stringify({ username: 'demo', password: passwordOf('demo') });
    const headers = { 'content-type': 'application/json' };
    const token = await (await ask('/v2/authentication/token', { method: 'POST', headers, body })).json();
    const authorization = `Bearer ${token.access_token}`;
    const { fulfillment } = await (
      await ask(`/v2/fulfillments/${labelled?.id}`, { headers: { authorization } })
    ).json();
    const answer = await ask(fulfillment.label_url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const page = await pageOf(new Uint8Array(await answer.arrayBuffer()));
    expect(scanned(page)).toBe(labelled?.tracking_info?.tracking_number);
    const consumer = fixtures.consumers.find(({ id }) => id === labelled?.consumer_id);
    const { shipping_carrier: carrier, shipping_method: method } = labelled?.tracking_info ?? {};
    const service = `${carrier} ${method}`.toUpperCase();
    const names = `${consumer?.first_name} ${consumer?.last_name}`;
    const expected = [service, labelled?.shipment_order_number, labelled?.id, names, fixtures.operator.name];
    expect(textsOf(page)).toEqual(expect.arrayContaining(expected));
  });
});
