// The PDF of a label, and GET and HEAD of an object of the storage: ranges, conditions and validators (RFC 9110), with errors as in S3.
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { utf8 } from '../../src/domain/hashes.ts';
import type { StorageError } from '../../src/domain/labels.ts';
import type { ServiceResponse } from '../../src/http/response.ts';
import { labelPdf } from '../../src/http/storage/label-pdf.ts';
import { answerObjectRequest, errorDocument } from '../../src/http/storage/stored-object.ts';
import { barsOf, drawn, pageOf, pagesOf, plain, scanned, textsOf } from '../label/pdf.ts';
import { machineAt } from '../support/control.ts';
import { labelled, labelUrlOf } from '../support/labels.ts';
import { fixtures, noon, testSachet } from '../support/sachet.ts';

describe('the PDF of a label', () => {
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
    const pass = machineAt('1970-01-01T00:00:00Z');
    const early = await labelPdf(plain);
    pass(Date.parse('2030-01-01'));
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
    const sender = [fixtures.operator.name, '100 Sandbox Way', 'Columbus, Ohio 00000', 'United States'];
    const expected = [service, labelled?.shipment_order_number, labelled?.id, names, ...sender];
    expect(textsOf(page)).toEqual(expect.arrayContaining(expected));
  });
});

const modified = 'Fri, 20 Nov 2026 12:00:00 GMT';
const sameDay = 'Fri, 20 Nov 2026 12:00:03 GMT';
const dayBefore = 'Thu, 19 Nov 2026 12:00:00 GMT';
const hex32 = '781e5e245d69b566979b86e28d23f2c7';
const etag = `"${hex32}"`;

const objectOf = (text: string, lastModified = '2026-11-20T12:00:00.789Z') => ({
  body: utf8(text),
  etag,
  lastModified: new Date(lastModified),
  contentType: 'application/pdf',
});
const digits = objectOf('0123456789');
type Conditions = Readonly<Record<string, string>>;

const ask = (headers: Conditions = {}, object = digits, method = 'GET'): ServiceResponse | StorageError =>
  answerObjectRequest({ method, headers: new Headers(headers), now: Date.parse('2026-11-20T12:00:03.500Z') }, object);
/** Status, then text or the code of the error, then Content-Range, in one line. */
function outcome(response: ServiceResponse | StorageError): string {
  const body = 'body' in response ? (response.body as Uint8Array | null) : null;
  const content = 'code' in response ? response.code : new TextDecoder().decode(body ?? new Uint8Array());
  return [response.status, content, response.headers?.['content-range'] ?? ''].filter((part) => part !== '').join(' ');
}

test('the whole object has its length, type, ETag and a date that is never after now; HEAD has no body', () => {
  const headers = {
    'accept-ranges': 'bytes',
    'content-length': '10',
    'content-type': 'application/pdf',
    etag,
    'last-modified': modified,
  };
  expect(ask()).toEqual({ kind: 'service', status: 200, headers, body: digits.body });
  expect(ask({}, digits, 'HEAD')).toEqual({ kind: 'service', status: 200, headers, body: null });
  expect(ask({}, objectOf('', '2027-01-01T00:00:00Z')).headers?.['last-modified']).toBe(sameDay);
});

const large = '9'.repeat(400);
test.each([
  ['bytes=0-8', '206 012345678 bytes 0-8/10'],
  ['bytes=1-', '206 123456789 bytes 1-9/10'],
  ['bytes=-2', '206 89 bytes 8-9/10'],
  ['bytes=-15', '206 0123456789 bytes 0-9/10'],
  ['bytes=0-100', '206 0123456789 bytes 0-9/10'],
  ['bytes=9-9', '206 9 bytes 9-9/10'],
  [`bytes=9-${large}`, '206 9 bytes 9-9/10'],
  [`bytes=-${large}`, '206 0123456789 bytes 0-9/10'],
  ['bytes=1-0', '200 0123456789'],
  ['bytes=0-1,3-4', '200 0123456789'],
  ['bytes=9007199254740993-9007199254740992', '200 0123456789'],
  ['bytes=-0', '416 InvalidRange bytes */10'],
  ['bytes=10-', '416 InvalidRange bytes */10'],
  [`bytes=${large}-`, '416 InvalidRange bytes */10'],
])(
  'the range %s is sent, ignored if it is malformed, or rejected if it begins after the end: %s',
  (range, expected) => {
    expect(outcome(ask({ range }))).toBe(expected);
  },
);

test('a range of an empty object is rejected; HEAD has the headers only', () => {
  for (const range of ['bytes=0-', 'bytes=0-0', 'bytes=-1'])
    expect(outcome(ask({ range }, objectOf(''))), range).toBe('416 InvalidRange bytes */0');
  const head = ask({ range: 'bytes=2-4' }, digits, 'HEAD');
  expect([outcome(head), head.headers?.['content-length']]).toEqual(['206 bytes 2-4/10', '3']);
});

test('a range with If-Range is sent if the validator is that of this version', () => {
  for (const validator of [etag, modified])
    expect(outcome(ask({ range: 'bytes=1-2', 'if-range': validator }))).toBe('206 12 bytes 1-2/10');
  for (const validator of ['"other"', `W/${etag}`, dayBefore, sameDay, ''])
    expect(outcome(ask({ range: 'bytes=1-2', 'if-range': validator })), validator).toBe('200 0123456789');
  expect(outcome(ask({ range: 'bytes=100-', 'if-range': '"other"' }))).toBe('200 0123456789');
});

test('a range is rejected with the range and the size in an S3 error document', () => {
  const rejected = ask({ range: 'bytes=100-' });
  if (!('code' in rejected)) throw new Error('the range was not rejected');
  const elements =
    '<Code>InvalidRange</Code><Message>The requested range is not satisfiable</Message>' +
    '<RangeRequested>bytes=100-</RangeRequested><ActualObjectSize>10</ActualObjectSize>' +
    '<RequestId>&lt;1&gt;</RequestId><HostId>sachet</HostId>';
  expect(errorDocument(rejected, '<1>')).toEqual({
    kind: 'service',
    status: 416,
    headers: { 'content-range': 'bytes */10', 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements}</Error>`,
  });
});

describe('conditions', () => {
  test.each<Conditions>([
    { 'if-match': etag },
    { 'if-match': hex32 },
    { 'if-match': '*' },
    { 'if-match': etag, 'if-unmodified-since': dayBefore },
    { 'if-unmodified-since': modified },
    { 'if-none-match': '"other"', 'if-modified-since': modified },
    { 'if-modified-since': dayBefore },
    { 'if-modified-since': '2026-11-20T12:00:00Z' },
    { 'if-match': hex32, 'if-none-match': 'other', 'if-modified-since': dayBefore, 'if-unmodified-since': sameDay },
  ])('that hold change nothing: %o', (headers) => {
    expect(ask(headers)).toEqual(ask());
  });

  test.each<[string, Conditions]>([
    ['If-Match', { 'if-match': `W/${etag}` }],
    ['If-Match', { 'if-match': 'other', 'if-unmodified-since': dayBefore, 'if-none-match': etag }],
    ['If-Unmodified-Since', { 'if-unmodified-since': dayBefore, 'if-none-match': etag, 'if-modified-since': sameDay }],
    ['If-Match', { 'if-match': '"other"', range: 'bytes=100-' }],
  ])('%s fails: %o', (Condition, headers) => {
    const message = 'At least one of the pre-conditions you specified did not hold';
    expect(ask(headers)).toEqual({ status: 412, code: 'PreconditionFailed', message, extra: { Condition } });
  });

  test.each<Conditions>([
    { 'if-none-match': etag },
    { 'if-none-match': hex32 },
    { 'if-none-match': `"other", W/${etag}` },
    { 'if-none-match': etag, 'if-modified-since': dayBefore },
    { 'if-none-match': etag, 'if-match': etag, range: 'bytes=100-' },
    { 'if-modified-since': modified },
    { 'if-modified-since': 'Friday, 20-Nov-26 12:00:00 GMT' },
  ])('report an unchanged object: %o', (headers) => {
    expect(ask(headers)).toEqual({
      kind: 'service',
      status: 304,
      headers: { etag, 'last-modified': modified },
      body: null,
    });
  });
});
