// What a label URL downloads is a shipping label that a warehouse could use: read back and scanned by other libraries.
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createSachet } from '../../src/create-sachet.ts';
import type { ShippingLabel } from '../../src/domain/shipping-label.ts';
import { labelPdf } from '../../src/http/storage/label-pdf.ts';
import { labelled } from '../support/labels.ts';
import { barsOf, type PdfPage, pageOf, pagesOf, scanned } from '../support/pdf.ts';
import { fixtures, noon, passwordOf } from '../support/sachet.ts';

const usps = { name: 'USPS', method: 'Ground Advantage', trackingNumber: '9400190317456213828476' };

const plain: ShippingLabel = {
  fulfillmentId: '60000000-0000-4000-8000-000000000002',
  carrier: usps,
  from: ['Meridian', 'for Daily Grove', 'Columbus, Ohio 43215'],
  to: ['Ada Lovelace', '1 Main Street', 'Springfield, Illinois 62701', 'United States'],
  orderNumber: 'SO-40257',
  weightGrams: 183,
  contents: ['Bright Vitamin C', 'Omega 3'],
  createdAt: '2026-08-06T14:57:20.636Z',
  updatedAt: '2026-08-10T19:54:36.082Z',
};

const drawn = async (change: Partial<ShippingLabel> = {}): Promise<PdfPage> =>
  pageOf(await labelPdf({ ...plain, ...change }));
const withNumber = (trackingNumber: string) => drawn({ carrier: { ...usps, trackingNumber } });
const textsOf = ({ texts }: PdfPage): string[] => texts.map(({ text }) => text);
/** All texts without blanks: a tracking number is shown in groups. */
const run = (page: PdfPage): string => textsOf(page).join('').replaceAll(' ', '');

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
    const [from = 0, to = 0] = texts.filter(({ text }) => text === 'The same words').map(({ width }) => width);
    expect(to).toBeGreaterThan(from * 1.5);
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
    expect(scanned(page)).toBeUndefined();
    expect(textsOf(page)).toEqual(expect.arrayContaining([...plain.to, 'SAMPLE']));
  });
});

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
    expect(textsOf(page)).toContain(groups);
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
    expect(barsOf(page).length > 0).toBe(isDrawn);
    expect(scanned(page)).toBe(isDrawn && number.length < 54 ? number : undefined);
  });

  test('that does not fit leaves its number as text, whole', async () => {
    const number = Array.from({ length: 200 }, (_, index) => index % 10).join('');
    expect(run(await withNumber(number))).toContain(number);
  });
});

describe('odd texts', () => {
  test.each([
    ['Łódź, Ünï Ørsted', 'Lódz, Ünï Ørsted'],
    ['Dvořák €5 “now” — ok…', 'Dvorák €5 “now” — ok…'],
    ['ﬁne ½ Ⅷ', 'fine ½ VIII'],
    ['a\u0301\u202e\u200d b', 'á b'],
    ['中文 😀', '?? ?'],
    ['a\ud800b\udc00\u0000\u001f', 'a?b???'],
    ['tab\there\r\n(\\)', 'tab here  (\\)'],
  ])('are shown as far as the fonts go: %j', async (text, shown) => {
    expect(textsOf(await drawn({ to: ['x', text] }))).toContain(shown);
  });

  test('that are many are counted', async () => {
    const contents = Array.from({ length: 9 }, (_, index) => `Pack ${index + 1}`);
    const texts = textsOf(await drawn({ contents }));
    expect(texts.filter((text) => text.startsWith('Pack'))).toEqual(contents.slice(0, 4));
    expect(texts).toContain('+ 5 more');
    expect(textsOf(await drawn({ contents: contents.slice(0, 5) }))).toContain('Pack 5');
  });

  const everywhere = (text: string, lines: number): ShippingLabel => ({
    fulfillmentId: text,
    carrier: { name: text, method: text, trackingNumber: text },
    from: Array<string>(lines).fill(text),
    to: Array<string>(lines).fill(text),
    orderNumber: text,
    weightGrams: 1.23e21,
    contents: Array<string>(lines).fill(text),
    createdAt: text,
    updatedAt: text,
  });
  const hostile = ['W', 'i', '7', 'AV', '😀', '中', 'é', '(', '\\', '\ud800', '\u0000', ' ', '\n', 'a\u0301', 'ﷺ'];

  test.each([...hostile.map((text) => [text.repeat(10_000), 1000] as const), ['', 0] as const])(
    'stay within their boxes: %.6j',
    async (text, lines) => {
      const page = await drawn(everywhere(text, lines));
      const level = page.texts.filter(({ degrees }) => degrees === 0);
      const edges = page.fills.filter(({ width, height }) => width < 3 && height > 40);
      for (const { x, y, width } of level) {
        expect([x >= 8, x + width <= 280, y > 8, y < 424]).toEqual([true, true, true, true]);
        const crossed = edges.filter(
          (edge) => y > edge.y && y < edge.y + edge.height && x < edge.x && x + width > edge.x,
        );
        expect(crossed).toEqual([]);
      }
      for (const one of level)
        for (const other of level.filter(({ y }) => Math.abs(y - one.y) < 4))
          expect(one === other || one.x + one.width <= other.x || other.x + other.width <= one.x).toBe(true);
    },
  );
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
    const sachet = createSachet({ fixtures, clock: noon, randomSeed: 'test' });
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
