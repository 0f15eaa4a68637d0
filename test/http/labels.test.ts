// FUL-4 and FUL-5: the label URL is S3's pre-signed GET, good for 15 minutes, and refused as S3 refuses.
import { describe, expect, test } from 'vitest';
import { element, labelled, labelUrlOf, outcomeOf, storage, storageSecret } from '../support/labels.ts';
import { signatureOf } from '../support/sigv4.ts';

const minutes15 = 900_000;

test('the oracle of the signature agrees with the example of the documentation', () => {
  const url =
    'https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host';
  expect(signatureOf(url, 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY')).toBe(
    'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  );
});

describe('the URL', () => {
  test("has S3's six query parameters, stamped with the sandbox's time, and names the label of the fulfillment", async () => {
    const { url } = await storage();
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).toBe(`http://localhost:4010/sandboxes/stage/_storage/labels/${labelled?.id}.pdf`);
    expect(Object.fromEntries(searchParams)).toEqual({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': expect.stringMatching(/^[A-Z0-9]{20}\/20261120\/us-east-1\/s3\/aws4_request$/),
      'X-Amz-Date': '20261120T120000Z',
      'X-Amz-Expires': '900',
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('is signed as Signature Version 4 has it, on another day too', async () => {
    const { sachet, client, url } = await storage();
    const secret = await storageSecret(sachet);
    expect(new URL(url).searchParams.get('X-Amz-Signature')).toBe(signatureOf(url, secret));
    await sachet.advance(13 * 3_600_000);
    const next = await labelUrlOf(client);
    expect(next).toContain('X-Amz-Date=20261121T010000Z');
    expect(new URL(next).searchParams.get('X-Amz-Signature')).toBe(signatureOf(next, secret));
  });

  test('is fresh at every read: another one a second later, the same bytes within the second (FUL-5)', async () => {
    const { sachet, client, url, outcome } = await storage();
    expect(await labelUrlOf(client)).toBe(url);
    await sachet.advance(1000);
    const fresh = await labelUrlOf(client);
    expect(fresh).not.toBe(url);
    expect([await outcome(url), await outcome(fresh)]).toEqual(['200', '200']);
  });

  test('is the same in all three reads of fulfillments, and of each another one (FUL-5)', async () => {
    const { client, url } = await storage();
    const list = (await client.get('/v2/fulfillments?limit=100')).body.fulfillments;
    const ofOrder = (await client.get(`/v2/orders/${labelled?.order_id}/fulfillments`)).body.fulfillments;
    const urlIn = (found: { id: string; label_url: string }[]) =>
      found.find(({ id }) => id === labelled?.id)?.label_url;
    expect([urlIn(list), urlIn(ofOrder)]).toEqual([url, url]);
    expect(new Set(list.map((row: { label_url: string }) => row.label_url)).size).toBe(list.length);
  });
});

describe('its life (FUL-4)', () => {
  test('is 15 minutes: good in the last millisecond, refused in the next', async () => {
    const { sachet, url, outcome, download } = await storage();
    await sachet.advance(minutes15 - 1);
    expect(await outcome(url)).toBe('200');
    await sachet.advance(1);
    const refused = await download(url);
    expect(outcomeOf(refused)).toBe('403 AccessDenied');
    expect(refused.headers.get('content-type')).toBe('application/xml');
    expect(element(refused, 'Message')).toBe('Request has expired');
    expect(element(refused, 'X-Amz-Expires')).toBe('900');
    expect(element(refused, 'Expires')).toBe('2026-11-20T12:15:00Z');
    expect(element(refused, 'ServerTime')).toBe('2026-11-20T12:15:00Z');
  });

  test.each([1, 999])('is 900 seconds and no more for a URL made %i ms into a second', async (milliseconds) => {
    const { sachet, client, outcome } = await storage();
    await sachet.advance(milliseconds);
    const url = await labelUrlOf(client);
    expect(new URL(url).searchParams.get('X-Amz-Date')).toBe('20261120T120000Z');
    await sachet.advance(minutes15 - 1000);
    expect(await outcome(url)).toBe('200');
    await sachet.advance(1000);
    expect(await outcome(url)).toBe('403 AccessDenied');
  });

  test('ends for all at once when the generation is raised, and fresh ones are good', async () => {
    const { sachet, client, url, download, outcome } = await storage();
    await sachet.control.sandbox('stage').switches.set({ label_expiry: { expire_issued: true } });
    const refused = await download(url);
    expect([outcomeOf(refused), element(refused, 'Message')]).toEqual(['403 AccessDenied', 'Request has expired']);
    const fresh = await labelUrlOf(client);
    expect(fresh).not.toBe(url);
    expect(await outcome(fresh)).toBe('200');
  });
});
