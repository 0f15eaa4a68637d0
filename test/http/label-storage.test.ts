// The object storage judges a label request as S3 does: by its parameters, its key, its time, its signature, then the object.
import { describe, expect, test } from 'vitest';
import { another, element, labelled, labelUrlOf, outcomeOf, storage, storageSecret } from '../support/labels.ts';
import { sign, signatureOf } from '../support/sigv4.ts';

describe('the storage refuses (FUL-4)', () => {
  const changed = (url: string, name: string, to: (value: string) => string): string => {
    const bent = new URL(url);
    bent.searchParams.set(name, to(bent.searchParams.get(name) ?? ''));
    return bent.href;
  };
  test.each<[string, (url: string) => string, string]>([
    ['a bent signature', (url) => url.replace(/.$/, (last) => (last === '0' ? '1' : '0')), 'SignatureDoesNotMatch'],
    [
      'a signature in capitals',
      (url) => changed(url, 'X-Amz-Signature', (text) => text.toUpperCase()),
      'SignatureDoesNotMatch',
    ],
    [
      "another fulfillment's path",
      (url) => url.replace(labelled?.id ?? '', another?.id ?? ''),
      'SignatureDoesNotMatch',
    ],
    ['a later date', (url) => changed(url, 'X-Amz-Date', () => '20261120T120001Z'), 'SignatureDoesNotMatch'],
    ['a longer life', (url) => changed(url, 'X-Amz-Expires', () => '604800'), 'SignatureDoesNotMatch'],
    [
      'another date of the key',
      (url) => changed(url, 'X-Amz-Credential', (text) => text.replace('20261120', '20261121')),
      'SignatureDoesNotMatch',
    ],
    ['a further parameter', (url) => `${url}&response-content-type=text%2Fhtml`, 'SignatureDoesNotMatch'],
    ['another host', (url) => url.replace('localhost', '127.0.0.1'), 'SignatureDoesNotMatch'],
    ['another port', (url) => url.replace('4010', '4011'), 'SignatureDoesNotMatch'],
    [
      "another sandbox's storage",
      (url) => url.replace('/sandboxes/stage/', '/sandboxes/production/'),
      'SignatureDoesNotMatch',
    ],
    ['the plain base URL', (url) => url.replace('/sandboxes/stage/', '/'), 'SignatureDoesNotMatch'],
    [
      'a key much like its own',
      (url) => changed(url, 'X-Amz-Credential', (text) => text.replace(/^\w/, 'X')),
      'InvalidAccessKeyId',
    ],
    [
      'an unknown key',
      (url) => changed(url, 'X-Amz-Credential', (text) => text.replace(/^[A-Z0-9]+/, 'AKIAIOSFODNN7EXAMPLE')),
      'InvalidAccessKeyId',
    ],
    ['no query at all', (url) => url.replace(/\?.*/, ''), 'AccessDenied'],
    ['a query without a signature in it', (url) => url.replace(/\?.*/, '?versionId=3'), 'AccessDenied'],
  ])('%s', async (_, bend, code) => {
    const { sachet, url, download } = await storage();
    await sachet.sandbox('production');
    const refused = await download(bend(url));
    expect(outcomeOf(refused)).toBe(`403 ${code}`);
    expect(refused.text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<Error>/);
  });

  test.each<[string, string, string]>([
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA1', 'X-Amz-Algorithm'],
    ['X-Amz-Date', '2026-11-20T12:00:00Z', 'X-Amz-Date'],
    ['X-Amz-Date', '20261399T990000Z', 'X-Amz-Date'],
    ['X-Amz-Expires', 'soon', 'X-Amz-Expires'],
    ['X-Amz-Expires', '-1', 'X-Amz-Expires'],
    ['X-Amz-Expires', '604801', 'X-Amz-Expires'],
  ])('a malformed %s: %s', async (name, value, words) => {
    const { sachet, url, download } = await storage();
    const bent = sign(
      changed(url, name, () => value),
      await storageSecret(sachet),
    );
    const refused = await download(bent);
    expect(outcomeOf(refused)).toBe('400 AuthorizationQueryParametersError');
    expect(element(refused, 'Message')).toContain(words);
  });

  test.each(['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'])(
    'a query without its X-Amz-%s',
    async (name) => {
      const { url, outcome } = await storage();
      const bent = new URL(url);
      bent.searchParams.delete(`X-Amz-${name}`);
      expect(await outcome(bent.href)).toBe('400 AuthorizationQueryParametersError');
    },
  );

  test.each(['PUT', 'POST', 'DELETE', 'HEAD'])('%s with the signature of a GET', async (method) => {
    const { url, download } = await storage();
    const refused = await download(url, method);
    expect(refused.status).toBe(403);
    if (method === 'HEAD') expect(refused.text).toBe('');
    else expect(outcomeOf(refused)).toBe('403 SignatureDoesNotMatch');
  });

  test('a fulfillment that is not there, with a good signature', async () => {
    const { sachet, url, outcome } = await storage();
    const secret = await storageSecret(sachet);
    const unknown = url.replace(labelled?.id ?? '', '99999999-9999-4999-8999-999999999999');
    expect(await outcome(sign(unknown, secret))).toBe('404 NoSuchKey');
    expect(await outcome(sign(url.replace('/labels/', '/labels/x/'), secret))).toBe('404 NoSuchKey');
  });

  test("a key of the same name with another sandbox's secret", async () => {
    const { sachet, url, outcome } = await storage();
    const elsewhere = url.replace('/sandboxes/stage/', '/sandboxes/production/');
    expect(await outcome(sign(elsewhere, await storageSecret(sachet)))).toBe('403 SignatureDoesNotMatch');
    expect(await outcome(sign(elsewhere, await storageSecret(sachet, 'production')))).toBe('200');
  });

  test('what is asked of a sandbox that is not there', async () => {
    const { url, outcome } = await storage();
    expect(await outcome(url.replace('/sandboxes/stage/', '/sandboxes/nobody/'))).toBe('404 NoSuchBucket');
  });
});

describe('the storage takes', () => {
  test('the parameters in any order and with small hexadecimal digits, as S3 does', async () => {
    const { url, outcome } = await storage();
    const [base = '', query = ''] = url.split('?');
    expect(await outcome(`${base}?${query.split('&').reverse().join('&')}`)).toBe('200');
    expect(await outcome(url.replaceAll('%2F', '%2f'))).toBe('200');
  });

  test('a HEAD that is signed as one, and answers without a body', async () => {
    const { sachet, url, download } = await storage();
    const head = await download(sign(url, await storageSecret(sachet), 'HEAD'), 'HEAD');
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'application/pdf']);
  });

  test('the label of a sandbox that a login made', async () => {
    const { sachet, outcome } = await storage();
    const url = await labelUrlOf(await sachet.login('demo+w7'));
    expect(url).toMatch(/^http:\/\/localhost:4010\/sandboxes\/w7\/_storage\//);
    expect(await outcome(url)).toBe('200');
    expect(await outcome(url.replace('/w7/', '/stage/'))).toBe('403 SignatureDoesNotMatch');
  });

  test.each([
    'https://demo.example/partners/sachet',
    'https://demo.example/partners/sachet/',
    'http://demo.example:8080',
  ])('what a proxy forwards for the public URL %s, its prefix stripped', async (publicUrl) => {
    const { sachet, url, outcome } = await storage({ publicUrl });
    const prefix = publicUrl.replace(/\/$/, '');
    expect(url.startsWith(`${prefix}/sandboxes/stage/_storage/labels/`)).toBe(true);
    expect(new URL(url).searchParams.get('X-Amz-Signature')).toBe(signatureOf(url, await storageSecret(sachet)));
    expect(await outcome(url.replace(prefix, 'http://10.0.0.7:4010'))).toBe('200');
  });
});
