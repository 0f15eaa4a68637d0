// Label URLs are S3's pre-signed GETs, valid for 15 minutes (FUL-4, FUL-5); the storage answers like S3.
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { another, downloadOutcome, element, labelled, labelUrlOf, storage } from '../support/labels.ts';
import type { TestSachet } from '../support/sachet.ts';

// Signature Version 4 in the query, from its documentation alone ("Authenticating Requests: Using Query Parameters", Amazon S3 API Reference).
// It judges label URLs, so it must not look at how the product signs.

/** UriEncode() of the documentation: everything but unreserved characters, as upper-case %XX of UTF-8. */
const uriEncode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Parameters in their order, decoded: no form decoding, for which `+` is a space. */
const parametersOf = ({ search }: URL): [string, string][] =>
  Array.from(search.matchAll(/[?&]([^=&]*)=?([^&]*)/g), ([, name = '', value = '']) => [
    ...([decodeURIComponent(name), decodeURIComponent(value)] as const),
  ]);

function canonicalRequest(method: string, url: URL): string {
  const query = parametersOf(url)
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [uriEncode(name), uriEncode(value)] as const)
    .sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const path = url.pathname.split('/').map((segment) => uriEncode(decodeURIComponent(segment)));
  const lines = [method, path.join('/'), query.map((pair) => pair.join('=')).join('&')];
  return [...lines, `host:${url.host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n');
}

/** The signature that belongs to this URL, whatever signature it has. */
function signatureOf(text: string, secret: string, method = 'GET'): string {
  const url = new URL(text);
  const parameters = new Map(parametersOf(url));
  const [, day = '', ...scope] = (parameters.get('X-Amz-Credential') ?? '').split('/');
  const digest = createHash('sha256').update(canonicalRequest(method, url)).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', parameters.get('X-Amz-Date'), [day, ...scope].join('/'), digest].join('\n');
  return hmac(scope.reduce(hmac, hmac(`AWS4${secret}`, day)), toSign).toString('hex');
}

/** The URL with the signature that belongs to it. */
function sign(text: string, secret: string, method = 'GET'): string {
  const bare = text.replace(/&?X-Amz-Signature=[^&]*/, '');
  return `${bare}&X-Amz-Signature=${signatureOf(bare, secret, method)}`;
}

/** The secret that belongs to the access key of a sandbox's storage. */
async function storageSecret(sachet: TestSachet, name?: string): Promise<string> {
  const sandbox = await sachet.sandbox(name);
  return createHmac('sha256', sandbox.identity.signingKey).update('labels').digest('hex');
}

test("the tests' own signature agrees with the example of the S3 documentation", () => {
  const url =
    'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host';
  expect(signatureOf(url, 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY')).toBe(
    'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  );
});

test("a label URL has S3's six query parameters with the sandbox's time, signed with Signature Version 4", async () => {
  const { sachet, client, url } = await storage();
  const secret = await storageSecret(sachet);
  const { origin, pathname, searchParams } = new URL(url);
  expect(origin + pathname).toBe(`http://localhost:4010/sandboxes/stage/_storage/labels/${labelled?.id}.pdf`);
  expect(Object.fromEntries(searchParams)).toEqual({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': expect.stringMatching(/^[A-Z0-9]{20}\/20261120\/us-east-1\/s3\/aws4_request$/),
    'X-Amz-Date': '20261120T120000Z',
    'X-Amz-Expires': '900',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': signatureOf(url, secret),
  });
  await sachet.advance(13 * 3_600_000);
  const nextDay = await labelUrlOf(client);
  expect(nextDay).toContain('X-Amz-Date=20261121T010000Z');
  expect(nextDay).toContain(`X-Amz-Signature=${signatureOf(nextDay, secret)}`);
});

test('it is the same in all three reads of one second, and a new one in the next (FUL-5)', async () => {
  const { sachet, client, url, outcome } = await storage();
  const { fulfillments: all } = (await client.get('/v2/fulfillments?limit=100')).body;
  const { fulfillments: ofOrder } = (await client.get(`/v2/orders/${labelled?.order_id}/fulfillments`)).body;
  const urlIn = (list: { id: string; label_url: string }[]) => list.find(({ id }) => id === labelled?.id)?.label_url;
  expect([await labelUrlOf(client), urlIn(all), urlIn(ofOrder)]).toEqual([url, url, url]);
  expect(new Set(all.map((row: { label_url: string }) => row.label_url)).size).toBe(all.length);
  await sachet.advance(1000);
  const fresh = await labelUrlOf(client);
  expect(fresh).not.toBe(url);
  expect([await outcome(url), await outcome(fresh)]).toEqual(['200', '200']);
});

test('it is accepted in the last millisecond of 15 minutes, rejected in the next, also with a bad range (FUL-4)', async () => {
  const { sachet, url, outcome, download } = await storage();
  await sachet.advance(900_000 - 1);
  expect(await outcome(url)).toBe('200');
  await sachet.advance(1);
  const rejected = await download(url);
  expect(rejected.headers.get('content-type')).toBe('application/xml');
  const names = ['Message', 'X-Amz-Expires', 'Expires', 'ServerTime'];
  expect([downloadOutcome(rejected), ...names.map((name) => element(rejected, name))]).toEqual([
    ...['403 AccessDenied', 'Request has expired', '900', '2026-11-20T12:15:00Z', '2026-11-20T12:15:00Z'],
  ]);
  await sachet.advance(60_000);
  const later = await download(url);
  expect(names.slice(2).map((name) => element(later, name))).toEqual(['2026-11-20T12:15:00Z', '2026-11-20T12:16:00Z']);
  const range = { headers: { range: 'bytes=999999-' } };
  expect(downloadOutcome(await sachet.call('GET', url, range))).toBe('403 AccessDenied');
});

describe('the storage rejects (FUL-4)', () => {
  const changed = (url: string, name: string, to: (value: string) => string): string => {
    const altered = new URL(url);
    altered.searchParams.set(name, to(altered.searchParams.get(name) ?? ''));
    return altered.href;
  };

  test('a URL that was changed after it was signed', async () => {
    const { sachet, url, download } = await storage();
    await sachet.sandbox('production');
    const credential = (search: RegExp | string, by: string) =>
      changed(url, 'X-Amz-Credential', (text) => text.replace(search, by));
    const cases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      SignatureDoesNotMatch: {
        signature: url.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        'signature in capitals': changed(url, 'X-Amz-Signature', (text) => text.toUpperCase()),
        fulfillment: url.replace(labelled?.id ?? '', another?.id ?? ''),
        'later date': changed(url, 'X-Amz-Date', () => '20261120T120001Z'),
        'longer life': changed(url, 'X-Amz-Expires', () => '604800'),
        'date of the key': credential('20261120', '20261121'),
        'second signature': `${url}&X-Amz-Signature=0`,
        'added parameter': `${url}&response-content-type=text%2Fhtml`,
        host: url.replace('localhost', '127.0.0.1'),
        port: url.replace('4010', '4011'),
        sandbox: url.replace('/stage/', '/production/'),
        'plain base URL': url.replace('/sandboxes/stage/', '/'),
      },
      InvalidAccessKeyId: {
        'similar key': credential(/^\w/, 'X'),
        'unknown key': credential(/^[A-Z0-9]+/, 'AKIAIOSFODNN7EXAMPLE'),
      },
      AccessDenied: { 'no query': url.replace(/\?.*/, ''), 'unsigned query': url.replace(/\?.*/, '?versionId=3') },
    };
    for (const [code, altered] of Object.entries(cases))
      for (const [what, one] of Object.entries(altered)) {
        const rejected = await download(one);
        expect(downloadOutcome(rejected), what).toBe(`403 ${code}`);
        expect(rejected.text, what).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<Error>/);
      }
  });

  test('a malformed or missing parameter, which the message names', async () => {
    const { sachet, url, download } = await storage();
    const secret = await storageSecret(sachet);
    for (const [name, value] of [
      ['X-Amz-Algorithm', 'AWS4-HMAC-SHA1'],
      ['X-Amz-Date', '2026-11-20T12:00:00Z'],
      ['X-Amz-Date', '20261399T990000Z'],
      ['X-Amz-Expires', 'soon'],
      ['X-Amz-Expires', '-1'],
      ['X-Amz-Expires', '604801'],
    ] as const) {
      const altered = changed(url, name, () => value);
      const rejected = await download(sign(altered, secret));
      expect(downloadOutcome(rejected), value).toBe('400 AuthorizationQueryParametersError');
      expect(element(rejected, 'Message'), value).toContain(name);
    }
    for (const name of ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature']) {
      const without = url.replace(new RegExp(`(?<=[?&])X-Amz-${name}=[^&]*&?`), '');
      const rejected = await download(without);
      expect(downloadOutcome(rejected), name).toBe('400 AuthorizationQueryParametersError');
      expect(element(rejected, 'Message')).toBe(
        'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Date, X-Amz-Expires, X-Amz-SignedHeaders, and X-Amz-Signature parameters.',
      );
    }
  });

  test('another method than the one that was signed', async () => {
    const { url, outcome, download } = await storage();
    for (const method of ['PUT', 'POST', 'DELETE'])
      expect(await outcome(url, method), method).toBe('403 SignatureDoesNotMatch');
    const head = await download(url, 'HEAD');
    expect([head.status, head.text]).toEqual([403, '']);
  });

  test("correctly signed URLs of unknown objects, and those signed with another sandbox's secret", async () => {
    const { sachet, url, outcome } = await storage();
    const secret = await storageSecret(sachet);
    const unknown = url.replace(labelled?.id ?? '', '99999999-9999-4999-8999-999999999999');
    expect(await outcome(sign(unknown, secret))).toBe('404 NoSuchKey');
    expect(await outcome(sign(url.replace('/labels/', '/labels/x/'), secret))).toBe('404 NoSuchKey');
    expect(await outcome(url.replace('/sandboxes/stage/', '/sandboxes/nobody/'))).toBe('404 NoSuchBucket');
    const elsewhere = url.replace('/sandboxes/stage/', '/sandboxes/production/');
    expect(await outcome(sign(elsewhere, secret))).toBe('403 SignatureDoesNotMatch');
    expect(await outcome(sign(elsewhere, await storageSecret(sachet, 'production')))).toBe('200');
  });
});

describe('the storage accepts', () => {
  test('parameters in any order, and lowercase hexadecimal digits', async () => {
    const { url, outcome } = await storage();
    const [base = '', query = ''] = url.split('?');
    expect(await outcome(`${base}?${query.split('&').reverse().join('&')}`)).toBe('200');
    expect(await outcome(url.replaceAll('%2F', '%2f'))).toBe('200');
  });

  test.each(['https://demo.example/partners/sachet/', 'http://demo.example:8080'])(
    'what a proxy forwards for the public URL %s, without its prefix',
    async (publicUrl) => {
      const { sachet, url, outcome } = await storage({ publicUrl });
      const prefix = publicUrl.replace(/\/$/, '');
      expect(url.startsWith(`${prefix}/sandboxes/stage/_storage/labels/`)).toBe(true);
      expect(url).toContain(`X-Amz-Signature=${signatureOf(url, await storageSecret(sachet))}`);
      expect(await outcome(url.replace(prefix, 'http://10.0.0.7:4010'))).toBe('200');
    },
  );
});

test('a download has ranges, conditions and HEAD; a changed label has another ETag', async () => {
  const { sachet, url } = await storage();
  const get = (headers: Readonly<Record<string, string>> = {}, method = 'GET', from = url) =>
    sachet.call(method, from, { headers });
  const whole = await get();
  const size = Number(whole.headers.get('content-length'));
  const etag = whole.headers.get('etag') ?? '';
  expect(size).toBeGreaterThan(1000);
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  expect(whole.headers.get('last-modified')).toBe('Mon, 10 Aug 2026 16:26:21 GMT');

  const part = await get({ range: 'bytes=0-9' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 0-9/${size}`]);
  expect(part.text).toBe(whole.text.slice(0, 10));

  const head = await get({}, 'HEAD', sign(url, await storageSecret(sachet), 'HEAD'));
  expect([head.status, head.text]).toEqual([200, '']);
  for (const name of ['content-length', 'etag', 'last-modified', 'content-type'])
    expect(head.headers.get(name)).toBe(whole.headers.get(name));

  const unchanged = await get({ 'if-none-match': etag });
  expect([unchanged.status, unchanged.text]).toEqual([304, '']);
  expect((await get({ 'if-match': etag })).status).toBe(200);
  await sachet.control.sandbox('stage').singles.operator.update({ name: 'Another' });
  expect((await get({ 'if-none-match': etag })).status).toBe(200);
  expect(downloadOutcome(await get({ 'if-match': etag }))).toBe('412 PreconditionFailed');
});
