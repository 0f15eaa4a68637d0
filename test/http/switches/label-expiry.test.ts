// label_expiry: issued label URLs expire permanently, new ones have another lifetime (FUL-4).
import { describe, expect, test } from 'vitest';
import { element, labelled, labelUrlOf, outcomeOf, storage } from '../../support/labels.ts';
import { noon } from '../../support/sachet.ts';

const expired = '403 AccessDenied';

async function labels() {
  const world = await storage();
  const stage = world.sachet.control.sandbox('stage');
  const secondsOf = (url: string) => new URL(url).searchParams.get('X-Amz-Expires');
  return { ...world, stage, secondsOf, fresh: () => labelUrlOf(world.client), advance: world.sachet.advance };
}

describe('expire_issued', () => {
  test('expires every URL issued so far, permanently; new ones are valid for 15 minutes', async () => {
    const { stage, client, url, fresh, download, outcome, advance } = await labels();
    const list = (await client.get('/v2/fulfillments?limit=3')).body.fulfillments;
    const ofOrder = (await client.get(`/v2/orders/${labelled?.order_id}/fulfillments`)).body.fulfillments;
    await stage.switches.set({ label_expiry: { expire_issued: true } });
    for (const { label_url } of [...list, ...ofOrder]) expect(await outcome(label_url)).toBe(expired);
    const rejected = await download(url);
    const told = [outcomeOf(rejected), element(rejected, 'Message'), element(rejected, 'ServerTime')];
    expect(told).toEqual([expired, 'Request has expired', '2026-11-20T12:00:00Z']);
    const next = await fresh();
    await advance(899_999);
    expect(await outcome(next)).toBe('200');
    await advance(1);
    expect(await outcome(next)).toBe(expired);
    await stage.switches.set({ label_expiry: null });
    await stage.clock.set({ now: '2026-11-20T11:59:00Z' });
    expect(await outcome(url)).toBe(expired);
  });

  test('with a match of the storage rejects downloads while it is on', async () => {
    const { stage, url, outcome } = await labels();
    await stage.switches.set({ label_expiry: { expire_issued: true, match: { path: '/_storage/labels/{file}' } } });
    expect(await outcome(url)).toBe(expired);
    await stage.switches.set({ label_expiry: null });
    expect(await outcome(url)).toBe('200');
  });
});

describe('lifetime_seconds', () => {
  test.each([1, 604_800])('%i is in new URLs, and counts from the second in which they are issued', async (seconds) => {
    const { stage, fresh, secondsOf, outcome, advance } = await labels();
    await stage.switches.set({ label_expiry: { lifetime_seconds: seconds } });
    for (const milliseconds of [0, 999]) {
      await stage.clock.set({ now: new Date(Date.parse(noon) + milliseconds).toISOString() });
      const url = await fresh();
      expect(secondsOf(url)).toBe(String(seconds));
      await advance(seconds * 1000 - 1 - milliseconds);
      expect(await outcome(url)).toBe('200');
      await advance(1);
      expect(await outcome(url)).toBe(expired);
    }
  });

  test('does not change URLs issued before or after', async () => {
    const { stage, url, fresh, outcome, advance } = await labels();
    await stage.switches.set({ label_expiry: { lifetime_seconds: 60 } });
    const during = await fresh();
    await stage.switches.set({ label_expiry: null });
    expect(await fresh()).toBe(url);
    await advance(60_000);
    expect([await outcome(url), await outcome(during)]).toEqual(['200', expired]);
    await advance(840_000);
    expect(await outcome(url)).toBe(expired);
  });

  test('with a match is that of the URLs in the responses to these calls', async () => {
    const { stage, client, fresh, secondsOf } = await labels();
    const lifetimes = async (match: object) => {
      await stage.switches.set({ label_expiry: { lifetime_seconds: 5, match } });
      const [{ label_url }] = (await client.get('/v2/fulfillments?limit=1')).body.fulfillments;
      return [secondsOf(label_url), secondsOf(await fresh())];
    };
    expect(await lifetimes({ path: '/v2/fulfillments/{id}' })).toEqual(['900', '5']);
    expect(await lifetimes({ operation: 'fulfillments.list' })).toEqual(['5', '900']);
    expect(await lifetimes({ method: 'POST' })).toEqual(['900', '900']);
  });
});
