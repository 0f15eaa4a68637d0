// Expiring what was issued, over the lives of a sandbox: a reset does not let a token slip through the next expiry.
import { describe, expect, test } from 'vitest';
import { labelUrlOf } from '../../support/labels.ts';
import { testSachet } from '../../support/sachet.ts';
import { present } from '../../support/tokens.ts';

const expireTokens = { token_expiry: { expire_issued: true } } as const;
const expireLabels = { label_expiry: { expire_issued: true } } as const;

/** What is issued, how it is expired, and whether it is good. */
const kinds = {
  'an access token': async () => {
    const sachet = testSachet();
    const stage = sachet.control.sandbox('stage');
    return {
      stage,
      expire: () => stage.switches.set(expireTokens),
      issue: async () => (await sachet.login()).token,
      isGood: async (token: string) => (await present(sachet, token)).status === 200,
    };
  },
  'a label URL': async () => {
    const sachet = testSachet();
    const stage = sachet.control.sandbox('stage');
    return {
      stage,
      expire: () => stage.switches.set(expireLabels),
      issue: async () => {
        // Each a second later than the one before, so that no two are the same.
        await stage.clock.advance({ seconds: 1 });
        return labelUrlOf(await sachet.login());
      },
      isGood: async (url: string) => (await sachet.call('GET', url)).status === 200,
    };
  },
} as const;

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])('%s', (kind) => {
  test('that is not expired survives a reset', async () => {
    const { stage, issue, isGood } = await kinds[kind]();
    const issued = await issue();
    await stage.reset();
    expect(await isGood(issued)).toBe(true);
  });

  test('of the life before a reset is expired by the next expiry, too', async () => {
    const { stage, expire, issue, isGood } = await kinds[kind]();
    const first = await issue();
    await expire();
    const second = await issue();
    expect([await isGood(first), await isGood(second)]).toEqual([false, true]);
    await stage.reset();
    const third = await issue();
    expect([await isGood(second), await isGood(third)]).toEqual([true, true]);
    await expire();
    const fourth = await issue();
    const good = [];
    for (const issued of [first, second, third, fourth]) good.push(await isGood(issued));
    expect(good).toEqual([false, false, false, true]);
  });

  test.each([2, 5])('of any of %i lives is expired by the expiry in the last', async (lives) => {
    const { stage, expire, issue, isGood } = await kinds[kind]();
    const issued = [];
    for (let life = 0; life < lives; life += 1) {
      for (let n = 0; n <= life; n += 1) await expire();
      issued.push(await issue());
      await stage.reset();
    }
    await expire();
    for (const one of issued) expect(await isGood(one)).toBe(false);
    expect(await isGood(await issue())).toBe(true);
  });

  test('that a restore brought back to life is expired by the next expiry', async () => {
    const { stage, expire, issue, isGood } = await kinds[kind]();
    await stage.snapshots.create({ name: 'base' });
    await expire();
    const issued = await issue();
    await stage.snapshots.restore('base');
    expect(await isGood(issued)).toBe(true);
    await expire();
    expect(await isGood(issued)).toBe(false);
  });

  test('that is issued after an expiry with a match is good for all calls', async () => {
    const { stage, expire, issue, isGood } = await kinds[kind]();
    const early = await issue();
    const match = { path: '/v2/orders' };
    await stage.switches.set({
      token_expiry: { expire_issued: true, match },
      label_expiry: { expire_issued: true, match },
    });
    const late = await issue();
    expect([await isGood(early), await isGood(late)]).toEqual([true, true]);
    await expire();
    expect([await isGood(early), await isGood(late)]).toEqual([false, false]);
  });
});

test('a login sandbox and one of another environment keep their tokens when stage expires its own', async () => {
  const sachet = testSachet();
  const [here, worker] = [await sachet.login(), await sachet.login('demo+w7')];
  const production = await sachet.login('demo', { base: '/sandboxes/production' });
  await sachet.control.sandbox('stage').switches.set(expireTokens);
  const statuses = [];
  for (const client of [here, worker, production]) statuses.push((await client.get('/v2/products')).status);
  expect(statuses).toEqual([401, 200, 200]);
});
