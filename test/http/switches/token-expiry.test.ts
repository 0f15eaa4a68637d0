// token_expiry: issued access tokens expire permanently, new ones have another lifetime. Refresh tokens are not affected.
import { describe, expect, test } from 'vitest';
import { errorOf } from '../../cases/assumptions/choices.ts';
import { labelUrlOf } from '../../support/labels.ts';
import { testSachet } from '../../support/sachet.ts';
import { testStage } from '../../support/stage.ts';
import { dayInMilliseconds, logIn, present, refresh } from '../../support/tokens.ts';

const expired = errorOf(401, 'Token expired');
const expireAll = { token_expiry: { expire_issued: true } } as const;

async function tokens() {
  // With another message for invalid tokens.
  const world = await testStage({ assumptions: { unauthorized_message: 'Invalid token' } });
  const { sachet, client } = world;
  return {
    ...world,
    isValid: async (token: string) => (await present(sachet, token)).status === 200,
    refreshed: async () => (await refresh(sachet, client.refreshToken)).body,
    loggedIn: async (username = 'demo') => (await logIn(sachet, username, `sachet-${username}`)).body,
  };
}

describe('expire_issued', () => {
  test('expires every access token of every user, permanently, in this sandbox', async () => {
    const { sachet, stage, client, refreshed, loggedIn, setTo } = await tokens();
    const others = [await sachet.login('demo+w7'), await sachet.login('demo', { base: '/sandboxes/production' })];
    const issued = [client.token, (await refreshed()).access_token];
    issued.push((await loggedIn()).access_token, (await loggedIn('other-brand')).access_token);
    expect(new Set(issued).size).toBe(4);
    await stage.switches.set(expireAll);
    for (const token of issued) expect((await present(sachet, token)).body).toEqual(expired);
    for (const other of others) expect((await other.get('/v2/products')).status).toBe(200);
    await stage.switches.set({ token_expiry: null });
    await stage.switches.clear();
    await setTo(-60_000);
    for (const token of issued) expect((await present(sachet, token)).body).toEqual(expired);
  });

  test('leaves refresh tokens valid; new tokens are valid for a day, until it is set again', async () => {
    const { stage, refreshed, loggedIn, isValid, elapse } = await tokens();
    await stage.switches.set(expireAll);
    const [one, other] = [await refreshed(), await loggedIn()];
    expect([one.expires_in, other.expires_in]).toEqual([86_400, 86_400]);
    await stage.switches.set({ rate_limit: null });
    await elapse(dayInMilliseconds - 1);
    expect([await isValid(one.access_token), await isValid(other.access_token)]).toEqual([true, true]);
    await elapse(1);
    expect([await isValid(one.access_token), await isValid(other.access_token)]).toEqual([false, false]);
    const { access_token } = await loggedIn();
    await stage.switches.set(expireAll);
    expect(await isValid(access_token)).toBe(false);
    expect(await isValid((await loggedIn()).access_token)).toBe(true);
  });

  test('with a match rejects issued tokens in these calls, while it is on', async () => {
    const { stage, client, statuses, refreshed, isValid } = await tokens();
    await stage.switches.set({ token_expiry: { expire_issued: true, match: { operation: 'products.list' } } });
    expect([await statuses(1), await statuses(1, '/v2/orders')]).toEqual([[401], [200]]);
    expect(await isValid((await refreshed()).access_token)).toBe(true);
    await stage.switches.set({ token_expiry: null });
    expect(await isValid(client.token)).toBe(true);
  });
});

describe('lifetime_seconds', () => {
  test.each([1, 60, 315_360_000])(
    '%i is the life of new tokens, to the millisecond, as expires_in says',
    async (seconds) => {
      const world = await tokens();
      const { stage, isValid, setTo } = world;
      await stage.switches.set({ token_expiry: { lifetime_seconds: seconds } });
      for (const way of ['loggedIn', 'refreshed'] as const) {
        await setTo(0);
        const { access_token, expires_in } = await world[way]();
        expect(expires_in).toBe(seconds);
        await setTo(seconds * 1000 - 1);
        expect(await isValid(access_token)).toBe(true);
        await setTo(seconds * 1000);
        expect((await present(world.sachet, access_token)).body).toEqual(expired);
      }
    },
  );

  test('counts from the second in which the token is issued, and does not change those issued before or after', async () => {
    const { stage, client, loggedIn, isValid, elapse } = await tokens();
    await stage.switches.set({ token_expiry: { lifetime_seconds: 60 } });
    await elapse(999);
    const during = (await loggedIn()).access_token;
    await stage.switches.set({ token_expiry: null });
    const after = await loggedIn();
    expect(after.expires_in).toBe(86_400);
    await elapse(59_000);
    expect(await isValid(during)).toBe(true);
    await elapse(1);
    const valid = [await isValid(client.token), await isValid(during), await isValid(after.access_token)];
    expect(valid).toEqual([true, false, true]);
  });

  test('with a match is that of tokens from these calls; together with expire_issued both apply', async () => {
    const { stage, client, refreshed, loggedIn, isValid, elapse } = await tokens();
    const match = { operation: 'authentication.refresh' } as const;
    await stage.switches.set({ token_expiry: { lifetime_seconds: 5, match } });
    expect([(await refreshed()).expires_in, (await loggedIn()).expires_in]).toEqual([5, 86_400]);
    await stage.switches.set({ token_expiry: { expire_issued: true, lifetime_seconds: 10 } });
    expect(await isValid(client.token)).toBe(false);
    const { access_token, expires_in } = await loggedIn();
    expect(expires_in).toBe(10);
    await elapse(9999);
    expect(await isValid(access_token)).toBe(true);
    await elapse(1);
    expect(await isValid(access_token)).toBe(false);
  });
});

describe.each(['access tokens', 'label URLs'])('resets and restores with expire_issued: %s', (kind) => {
  function issuing() {
    const sachet = testSachet();
    const stage = sachet.control.sandbox('stage');
    const isToken = kind === 'access tokens';
    const settings = { expire_issued: true } as const;
    return {
      stage,
      expire: () => stage.switches.set(isToken ? { token_expiry: settings } : { label_expiry: settings }),
      issue: async () => {
        // So that no two URLs are the same.
        await stage.clock.advance({ seconds: 1 });
        const client = await sachet.login();
        return isToken ? client.token : labelUrlOf(client);
      },
      valid: async (...all: string[]) => {
        const valid = [];
        for (const one of all) {
          const { status } = await (isToken ? present(sachet, one) : sachet.call('GET', one));
          valid.push(status === 200);
        }
        return valid;
      },
    };
  }

  test('what is valid stays so over a reset, and the next expiry expires it, from however many lives', async () => {
    const { stage, expire, issue, valid } = issuing();
    const issued = [];
    for (let life = 0; life < 4; life += 1) {
      for (let n = 0; n < life; n += 1) await expire();
      issued.push(await issue());
      await stage.reset();
      expect((await valid(...issued)).at(-1)).toBe(true);
    }
    await expire();
    expect(await valid(...issued, await issue())).toEqual([false, false, false, false, true]);
  });

  test('what a restore makes valid again is expired by the next expiry', async () => {
    const { stage, expire, issue, valid } = issuing();
    await stage.snapshots.create({ name: 'base' });
    await expire();
    const issued = await issue();
    await stage.snapshots.restore('base');
    expect(await valid(issued)).toEqual([true]);
    await expire();
    expect(await valid(issued)).toEqual([false]);
  });
});
