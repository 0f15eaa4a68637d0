import { afterEach, expect, test, vi } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { labelPdf } from '../../src/http/storage/label-pdf.ts';
import { barsOf, drawn, pageOf, pagesOf, plain, scanned, textsOf } from '../label/pdf.ts';
import { labelled, labelUrlOf } from '../support/labels.ts';
import { fixtures, noon, testSachet } from '../support/sachet.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('is one page of 4 by 6 inches, with the dates of the label', async () => {
  const bytes = await labelPdf(plain);
  const file = Buffer.from(bytes).toString('latin1');
  expect([file.slice(0, 7), file.trimEnd().slice(-5)]).toEqual(['%PDF-1.', '%%EOF']);
  expect(file).toContain('/CreationDate (D:20260806145720Z)');
  expect(file).toContain('/ModDate (D:20260810195436Z)');
  expect((await pagesOf(bytes)).map(({ width, height }) => [width, height])).toEqual([[4 * 72, 6 * 72]]);
});

test('says who sends what to whom by which service, the receiver larger than the sender', async () => {
  const words = ['USPS GROUND ADVANTAGE', 'SO-40257', '183 g', '6.5 oz', 'DATE 2026-08-06', plain.fulfillmentId];
  const all = [...words, ...plain.from, ...plain.to, ...plain.contents];
  expect(textsOf(await drawn())).toEqual(expect.arrayContaining(all));
  const page = await drawn({ from: ['The same words'], to: ['The same words'] });
  const same = page.texts.filter(({ text }) => text === 'The same words').toSorted((one, other) => one.y - other.y);
  const [from = 0, to = 0] = same.map(({ width }) => width);
  expect(to).toBeGreaterThan(from * 1.3);
});

test('says that it is no real label, with SAMPLE across it, clear of the bars', async () => {
  const page = await drawn();
  expect(textsOf(page)).toContain('Sandbox label - not for shipping');
  const sample = page.texts.find(({ text }) => text === 'SAMPLE');
  expect(sample?.degrees).toBeGreaterThan(30);
  expect(sample?.width).toBeGreaterThan(3.5 * 72);
  expect(sample?.y).toBeLessThan(barsOf(page)[0]?.y ?? 0);
});

test.each([
  [0, '0 g', '0 oz'],
  [453.59, '453.6 g', '1 lb 0 oz'],
  [1234, '1234 g', '2 lb 11.5 oz'],
])('has the weight %d g as %s and %s', async (weightGrams, metric, pounds) => {
  expect(textsOf(await drawn({ weightGrams }))).toEqual(expect.arrayContaining([metric, pounds]));
});

test('is the same file for the same label at any time, and another one for another label', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  const early = await labelPdf(plain);
  vi.setSystemTime('2030-01-01');
  for (const late of await Promise.all([labelPdf({ ...plain }), labelPdf(plain)]))
    expect(Buffer.from(late).equals(early)).toBe(true);
  for (const change of [{ orderNumber: 'SO-1' }, { weightGrams: 1 }, { updatedAt: noon }, { carrier: null }])
    expect(Buffer.from(await labelPdf({ ...plain, ...change })).equals(early)).toBe(false);
});

test('is what a label URL downloads, with the data of the fulfillment', async () => {
  const url = await labelUrlOf(await testSachet().login());
  // Another server with the same seed: `testSachet` reads responses as text.
  const response = await createEngine({ fixtures, clock: noon, randomSeed: 'test' }).fetch(url);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const page = await pageOf(new Uint8Array(await response.arrayBuffer()));
  const { shipping_carrier, shipping_method, tracking_number } = labelled?.tracking_info ?? {};
  expect(scanned(page)).toBe(tracking_number);
  const consumer = fixtures.consumers.find(({ id }) => id === labelled?.consumer_id);
  const service = `${shipping_carrier} ${shipping_method}`.toUpperCase();
  const names = `${consumer?.first_name} ${consumer?.last_name}`;
  const expected = [service, labelled?.shipment_order_number, labelled?.id, names, fixtures.operator.name];
  expect(textsOf(page)).toEqual(expect.arrayContaining(expected));
});
