// Downloads of labels stand in the journal beside the calls: with the rule where they are refused, without the signature, and without
// the file.
import { expect, test } from 'vitest';
import { labelled, storage } from '../support/labels.ts';

async function downloaded(change: (url: string) => string = (url) => url, milliseconds = 0) {
  const { sachet, url, download } = await storage();
  await sachet.advance(milliseconds);
  const answer = await download(change(url));
  const { requests } = await sachet.control.sandbox('stage').requests.list();
  return { answer, entry: requests.at(-1), count: requests.length, url, sachet };
}

test('a download stands in the journal, without its file', async () => {
  const { answer, entry, count } = await downloaded();
  expect([answer.status, count]).toEqual([200, 3]);
  expect(entry).toMatchObject({
    method: 'GET',
    path: `/_storage/labels/${labelled?.id}.pdf`,
    operation: null,
    status: 200,
    rules: [],
  });
  expect(entry?.id).toBe(answer.headers.get('sandbox-request-id'));
  expect(entry?.response?.body).toBeNull();
  expect(entry?.decision).toMatchObject({ stage: 'storage', details: [], sentence: 'Answered with 200.' });
});

test.each([
  ['an expired URL', (url: string) => url, 900_000],
  ['a bent signature', (url: string) => url.replace(/.$/, (last) => (last === '0' ? '1' : '0')), 0],
  ['a missing signature', (url: string) => url.replace(/\?.*/, ''), 0],
])('%s is explained by the rule about label URLs', async (_, change, milliseconds) => {
  const { answer, entry } = await downloaded(change, milliseconds);
  expect(entry).toMatchObject({ status: 403, rules: ['FUL-4'] });
  expect(answer.headers.get('sandbox-rule')).toBe('FUL-4');
  const allowed = expect.stringContaining('15 minutes');
  expect(entry?.decision).toMatchObject({
    stage: 'storage',
    details: [{ rule: 'FUL-4', field: null, came: null, allowed }],
  });
});

test('a refusal of the storage is kept whole, whatever name the request has', async () => {
  const { answer, entry } = await downloaded((url) => url.replace(/\?.*/, ''));
  expect(entry?.response?.body).toBe(answer.text);
});

test('a label is counted and waited for like any call', async () => {
  const { sachet } = await downloaded();
  const match = { method: 'GET', path: '/_storage/labels/{label}', status: 200 } as const;
  expect(await sachet.control.sandbox('stage').requests.verify({ match, count: 1 })).toMatchObject({ satisfied: true });
});

test('downloads while their sandbox is deleted are answered, and are no bug', async () => {
  const { sachet, url } = await storage();
  const path = new URL(url).pathname.replace('/sandboxes/stage', '/sandboxes/w1');
  for (let apart = 0; apart < 20; apart += 1) {
    await sachet.control.create({ name: 'w1' });
    const deleted = sachet.control.sandbox('w1').delete();
    for (let step = 0; step < apart; step += 1) await Promise.resolve();
    const { status } = await sachet.call('GET', path);
    expect([403, 404, 500]).toContain(status);
    await deleted;
  }
});
