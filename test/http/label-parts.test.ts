// A label asked for in part or on a condition, over its URL: what the storage answers is S3's.
import { expect, test } from 'vitest';
import { element, outcomeOf, storage, storageSecret } from '../support/labels.ts';
import { sign } from '../support/sigv4.ts';

async function asked() {
  const { sachet, url } = await storage();
  const get = (headers: Readonly<Record<string, string>> = {}, method = 'GET', from = url) =>
    sachet.call(method, from, { headers });
  return { sachet, url, get, whole: await get() };
}

test('a label tells its length, its ETag and when it was made, and takes ranges', async () => {
  const { whole } = await asked();
  const { headers } = whole;
  expect(Number(headers.get('content-length'))).toBeGreaterThan(1000);
  expect(headers.get('accept-ranges')).toBe('bytes');
  expect(headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
  expect(headers.get('last-modified')).toBe('Mon, 10 Aug 2026 16:26:21 GMT');
});

test('a range is that part of it, and its parts are the whole', async () => {
  const { get, whole } = await asked();
  const size = Number(whole.headers.get('content-length'));
  const parts = [await get({ range: 'bytes=0-9' }), await get({ range: 'bytes=10-' })];
  expect(parts.map(({ status }) => status)).toEqual([206, 206]);
  expect(parts.map(({ headers }) => headers.get('content-range'))).toEqual([
    `bytes 0-9/${size}`,
    `bytes 10-${size - 1}/${size}`,
  ]);
  expect(parts[0]?.text).toBe(whole.text.slice(0, 10));
  expect(parts.map(({ headers }) => Number(headers.get('content-length')))).toEqual([10, size - 10]);
});

test('a range behind its end is refused as S3 refuses it', async () => {
  const { get, whole } = await asked();
  const size = whole.headers.get('content-length');
  const refused = await get({ range: `bytes=${size}-` });
  expect([outcomeOf(refused), element(refused, 'ActualObjectSize')]).toEqual(['416 InvalidRange', size]);
});

test('a label that is unchanged is not sent again, and one that is another is no longer matched', async () => {
  const { get, whole, sachet } = await asked();
  const etag = whole.headers.get('etag') ?? '';
  const unchanged = await get({ 'if-none-match': etag });
  expect([unchanged.status, unchanged.text]).toEqual([304, '']);
  expect((await get({ 'if-match': etag })).status).toBe(200);
  await sachet.control.sandbox('stage').singles.operator.update({ name: 'Another' });
  expect((await get({ 'if-none-match': etag })).status).toBe(200);
  expect(outcomeOf(await get({ 'if-match': etag }))).toBe('412 PreconditionFailed');
});

test('a HEAD that is signed as one has the length and no body, also of a range', async () => {
  const { sachet, url, get, whole } = await asked();
  const signed = sign(url, await storageSecret(sachet), 'HEAD');
  const head = await get({}, 'HEAD', signed);
  expect([head.status, head.text]).toEqual([200, '']);
  for (const name of ['content-length', 'etag', 'last-modified', 'content-type'])
    expect(head.headers.get(name)).toBe(whole.headers.get(name));
  const part = await get({ range: 'bytes=0-0' }, 'HEAD', signed);
  expect([part.status, part.text, part.headers.get('content-length')]).toEqual([206, '', '1']);
});

test('an expired URL is refused before its range is looked at', async () => {
  const { sachet, get } = await asked();
  await sachet.advance(900_000);
  expect(outcomeOf(await get({ range: 'bytes=999999-' }))).toBe('403 AccessDenied');
});
