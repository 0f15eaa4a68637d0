// label_expiry: label URLs handed out expire for good, new ones work as long as they are told; refused as the storage refuses (FUL-4).
import { describe, expect, test } from 'vitest';
import { element, labelled, labelUrlOf, outcomeOf, storage } from '../../support/labels.ts';

const refused = '403 AccessDenied';

async function labels() {
  const world = await storage();
  const stage = world.sachet.control.sandbox('stage');
  return { ...world, stage, fresh: () => labelUrlOf(world.client), advance: world.sachet.advance };
}

describe('expire_issued', () => {
  test('refuses every URL handed out so far, by whichever read, as one whose time is over', async () => {
    const { stage, client, url, download, outcome } = await labels();
    const list = (await client.get('/v2/fulfillments?limit=3')).body.fulfillments;
    const ofOrder = (await client.get(`/v2/orders/${labelled?.order_id}/fulfillments`)).body.fulfillments;
    await stage.switches.set({ label_expiry: { expire_issued: true } });
    for (const { label_url } of [...list, ...ofOrder]) expect(await outcome(label_url)).toBe(refused);
    const answer = await download(url);
    expect(outcomeOf(answer)).toBe(refused);
    expect(element(answer, 'Message')).toBe('Request has expired');
    expect(element(answer, 'ServerTime')).toBe('2026-11-20T12:00:00Z');
  });

  test('lets the next read give a good one, in the same second, for a quarter of an hour', async () => {
    const { stage, url, fresh, outcome, advance } = await labels();
    await stage.switches.set({ label_expiry: { expire_issued: true } });
    const next = await fresh();
    expect(next).not.toBe(url);
    await advance(899_999);
    expect(await outcome(next)).toBe('200');
    await advance(1);
    expect(await outcome(next)).toBe(refused);
  });

  test('is for good', async () => {
    const { stage, url, outcome } = await labels();
    await stage.switches.set({ label_expiry: { expire_issued: true } });
    await stage.switches.set({ label_expiry: null });
    await stage.clock.set({ now: '2026-11-20T11:59:00Z' });
    expect(await outcome(url)).toBe(refused);
  });
});

describe('lifetime_seconds', () => {
  test.each([1, 60, 604_800])('%i is the life of a new URL, to the millisecond, and stands in it', async (seconds) => {
    const { stage, fresh, outcome, advance } = await labels();
    await stage.switches.set({ label_expiry: { lifetime_seconds: seconds } });
    const url = await fresh();
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe(String(seconds));
    await advance(seconds * 1000 - 1);
    expect(await outcome(url)).toBe('200');
    await advance(1);
    expect(await outcome(url)).toBe(refused);
  });

  test.each([1, 999])('is as many seconds for a URL made %i ms into a second', async (milliseconds) => {
    const { stage, fresh, outcome, advance } = await labels();
    await stage.switches.set({ label_expiry: { lifetime_seconds: 60 } });
    await advance(milliseconds);
    const url = await fresh();
    await advance(59_000);
    expect(await outcome(url)).toBe('200');
    await advance(1000);
    expect(await outcome(url)).toBe(refused);
  });

  test('is not that of a URL from before, nor from after', async () => {
    const { stage, url, fresh, outcome, advance } = await labels();
    await stage.switches.set({ label_expiry: { lifetime_seconds: 60 } });
    const under = await fresh();
    await stage.switches.set({ label_expiry: null });
    const after = await fresh();
    expect(after).toBe(url);
    await advance(60_000);
    expect([await outcome(url), await outcome(under), await outcome(after)]).toEqual(['200', refused, '200']);
    await advance(840_000);
    expect([await outcome(url), await outcome(after)]).toEqual([refused, refused]);
  });

  test('of reads that match is that of the URLs they give', async () => {
    const { stage, client, fresh } = await labels();
    await stage.switches.set({ label_expiry: { lifetime_seconds: 5, match: { path: '/v2/fulfillments/{id}' } } });
    const [{ label_url }] = (await client.get('/v2/fulfillments?limit=1')).body.fulfillments;
    const lives = [label_url, await fresh()].map((url) => new URL(url).searchParams.get('X-Amz-Expires'));
    expect(lives).toEqual(['900', '5']);
  });
});

test('both together: all so far refused, and new ones good for so long', async () => {
  const { stage, url, fresh, outcome, advance } = await labels();
  await stage.switches.set({ label_expiry: { expire_issued: true, lifetime_seconds: 30 } });
  const next = await fresh();
  expect([await outcome(url), await outcome(next)]).toEqual([refused, '200']);
  await advance(29_999);
  expect(await outcome(next)).toBe('200');
  await advance(1);
  expect(await outcome(next)).toBe(refused);
});

test('a match that names the storage refuses what it downloads, while it is on', async () => {
  const { stage, url, outcome } = await labels();
  await stage.switches.set({ label_expiry: { expire_issued: true, match: { path: '/_storage/labels/{file}' } } });
  expect(await outcome(url)).toBe(refused);
  await stage.switches.set({ label_expiry: null });
  expect(await outcome(url)).toBe('200');
});

test('tokens, and the labels of other sandboxes, are not touched', async () => {
  const { sachet, stage, client, outcome } = await labels();
  const elsewhere = await labelUrlOf(await sachet.login('demo+w7'));
  await stage.switches.set({ label_expiry: { expire_issued: true, lifetime_seconds: 1 } });
  expect(await outcome(elsewhere)).toBe('200');
  expect((await client.get('/v2/products')).status).toBe(200);
  expect(new URL(await labelUrlOf(await sachet.login('demo+w7'))).searchParams.get('X-Amz-Expires')).toBe('900');
});
