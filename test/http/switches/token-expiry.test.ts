// token_expiry: what was issued expires for good, what is issued from then on lives as long as it is told. Refresh tokens do neither.
import { describe, expect, test } from 'vitest';
import { errorOf } from '../../support/assumption-cases.ts';
import { bent } from '../../support/bent.ts';
import { dayInMilliseconds, logIn, present, refresh } from '../../support/tokens.ts';

const expired = errorOf(401, 'Token expired');
/** So that the words of an expired token are told from those of an invalid one. */
const assumptions = { unauthorized_message: 'Invalid token' } as const;

const minute = { token_expiry: { lifetime_seconds: 60 } } as const;
const all = { token_expiry: { expire_issued: true } } as const;

/** Stage, and what it answers to tokens. */
async function tokens() {
  const world = await bent({ assumptions });
  const { sachet, client } = world;
  return {
    ...world,
    isGood: async (token: string) => (await present(sachet, token)).status === 200,
    refreshed: async () => (await refresh(sachet, client.refreshToken)).body,
    loggedIn: async (username = 'demo') => (await logIn(sachet, username, `sachet-${username}`)).body,
  };
}

describe('expire_issued', () => {
  test('expires every access token issued so far, of every user, by login and by refresh', async () => {
    const { sachet, stage, client, refreshed, loggedIn } = await tokens();
    const issued = [client.token, (await refreshed()).access_token];
    issued.push((await loggedIn()).access_token, (await loggedIn('other-brand')).access_token);
    expect(new Set(issued).size).toBe(4);
    await stage.switches.set(all);
    for (const token of issued) expect((await present(sachet, token)).body).toEqual(expired);
  });

  test('leaves refresh tokens good: a refresh and a login give tokens of a whole day', async () => {
    const { sachet, stage, refreshed, loggedIn, isGood } = await tokens();
    await stage.switches.set(all);
    for (const { access_token, expires_in } of [await refreshed(), await refreshed(), await loggedIn()]) {
      expect(expires_in).toBe(86_400);
      expect(await isGood(access_token)).toBe(true);
    }
    const { access_token } = await refreshed();
    await sachet.advance(dayInMilliseconds - 1);
    expect(await isGood(access_token)).toBe(true);
    await sachet.advance(1);
    expect(await isGood(access_token)).toBe(false);
  });

  test('is for good: neither turning it off, nor all off, nor a clock set back revives a token', async () => {
    const { stage, client, isGood, setTo } = await tokens();
    await stage.switches.set(all);
    await stage.switches.set({ token_expiry: null });
    expect(await isGood(client.token)).toBe(false);
    await stage.switches.clear();
    await setTo(-60_000);
    expect(await isGood(client.token)).toBe(false);
  });

  test('is done once, when it is set: what is issued under it stays good', async () => {
    const { stage, isGood, loggedIn } = await tokens();
    await stage.switches.set(all);
    const { access_token } = await loggedIn();
    await stage.switches.set({ rate_limit: null });
    await stage.switches.get();
    expect(await isGood(access_token)).toBe(true);
    await stage.switches.set(all);
    expect(await isGood(access_token)).toBe(false);
    expect(await isGood((await loggedIn()).access_token)).toBe(true);
  });

  test('of calls that match expires the tokens for those calls, while it is on', async () => {
    const { stage, client, statuses, refreshed } = await tokens();
    await stage.switches.set({ token_expiry: { expire_issued: true, match: { operation: 'products.list' } } });
    expect([await statuses(1), await statuses(1, '/v2/orders')]).toEqual([[401], [200]]);
    const fresh = (await refreshed()).access_token;
    expect((await client.get('/v2/products', { headers: { authorization: `Bearer ${fresh}` } })).status).toBe(200);
    await stage.switches.set({ token_expiry: null });
    expect(await statuses(1)).toEqual([200]);
  });
});

describe('lifetime_seconds', () => {
  test.each([
    ['a login', 'loggedIn'],
    ['a refresh', 'refreshed'],
  ] as const)('is the life of a token of %s, to the millisecond, and told by expires_in', async (_, way) => {
    const world = await tokens();
    await world.stage.switches.set(minute);
    const { access_token, expires_in } = await world[way]();
    expect(expires_in).toBe(60);
    await world.elapse(59_999);
    expect(await world.isGood(access_token)).toBe(true);
    await world.elapse(1);
    expect((await present(world.sachet, access_token)).body).toEqual(expired);
  });

  test.each([1, 315_360_000])('may be %i', async (lifetime_seconds) => {
    const { stage, loggedIn, isGood, elapse } = await tokens();
    await stage.switches.set({ token_expiry: { lifetime_seconds } });
    const { access_token, expires_in } = await loggedIn();
    expect(expires_in).toBe(lifetime_seconds);
    await elapse(lifetime_seconds * 1000 - 1);
    expect(await isGood(access_token)).toBe(true);
    await elapse(1);
    expect(await isGood(access_token)).toBe(false);
  });

  test.each([1, 999])('is as many seconds for a token issued %i ms into a second', async (milliseconds) => {
    const { stage, loggedIn, isGood, elapse } = await tokens();
    await stage.switches.set(minute);
    await elapse(milliseconds);
    const { access_token } = await loggedIn();
    await elapse(59_000);
    expect(await isGood(access_token)).toBe(true);
    await elapse(1000);
    expect(await isGood(access_token)).toBe(false);
  });

  test('is of what is issued under it alone: not of tokens from before, nor from after', async () => {
    const { stage, client, loggedIn, isGood, elapse } = await tokens();
    await stage.switches.set(minute);
    const under = (await loggedIn()).access_token;
    await stage.switches.set({ token_expiry: null });
    const after = await loggedIn();
    expect(after.expires_in).toBe(86_400);
    await elapse(60_000);
    const good = [await isGood(client.token), await isGood(under), await isGood(after.access_token)];
    expect(good).toEqual([true, false, true]);
  });

  test('is not the life of a refresh token', async () => {
    const { sachet, stage, loggedIn, elapse } = await tokens();
    await stage.switches.set(minute);
    const { refresh_token } = await loggedIn();
    await elapse(30 * dayInMilliseconds - 1);
    expect((await refresh(sachet, refresh_token)).body).toMatchObject({ expires_in: 60 });
    await elapse(1);
    expect((await refresh(sachet, refresh_token)).status).toBe(401);
  });

  test('of calls that match is the life of what they give', async () => {
    const { stage, refreshed, loggedIn } = await tokens();
    await stage.switches.set({ token_expiry: { lifetime_seconds: 5, match: { operation: 'authentication.refresh' } } });
    expect([(await refreshed()).expires_in, (await loggedIn()).expires_in]).toEqual([5, 86_400]);
  });
});

test('both together: all so far expired, and what comes lives so long', async () => {
  const { stage, client, refreshed, loggedIn, isGood, elapse } = await tokens();
  await stage.switches.set({ token_expiry: { expire_issued: true, lifetime_seconds: 10 } });
  expect(await isGood(client.token)).toBe(false);
  const [one, other] = [await refreshed(), await loggedIn()];
  expect([one.expires_in, other.expires_in]).toEqual([10, 10]);
  await elapse(9999);
  expect([await isGood(one.access_token), await isGood(other.access_token)]).toEqual([true, true]);
  await elapse(1);
  expect([await isGood(one.access_token), await isGood(other.access_token)]).toEqual([false, false]);
});
