// The readings of the rate limit (LIM-1).
import { expect } from 'vitest';
import type { Cases } from '../assumption-cases.ts';
import type { Answer, TestSachet } from '../sachet.ts';

/** The answers to so many calls, one after the other. */
async function answersTo(sachet: TestSachet, calls: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let call = 0; call < calls; call += 1) answers.push(await sachet.call('GET', '/v2/products'));
  return answers;
}

const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

/**
 * The statuses of calls over a threshold of two: two calls of one user, by the login's and a refreshed token; then the
 * third by its expired token; one of another user; and three logins.
 */
async function statusesOver(sachet: TestSachet, setThreshold: () => Promise<unknown>, before: number) {
  const [demo, other] = [await sachet.login(), await sachet.login('read-only')];
  const body = { refresh_token: demo.refreshToken };
  const renewed = (await sachet.call('POST', '/v2/authentication/refresh-token', { body })).body.access_token;
  await sachet.advance(86_400_000);
  await setThreshold();
  const calls = [demo, sachet.client(renewed), demo, other].map((client) => () => client.get('/v2/products'));
  const logins = Array.from({ length: 3 }, () => () => sachet.call('POST', '/v2/authentication/token', { body: {} }));
  const all: number[] = [];
  for (let call = 0; call < before; call += 1) all.push((await demo.get('/v2/products')).status);
  const named: (string | null)[] = [];
  for (const call of [...calls, ...logins]) {
    const answer = await call();
    all.push(answer.status);
    named.push(answer.headers.get('sandbox-assumption'));
  }
  return { statuses: all.slice(before), named };
}

/** By the switch with a limit of two calls, and by the assumption after 98 calls of the first user. */
async function limited(sachet: TestSachet, scope: 'user' | 'sandbox'): Promise<number[][]> {
  const stage = sachet.control.sandbox('stage');
  const setSwitch = () => stage.switches.set({ rate_limit: { limit: 2, window_seconds: 60 } });
  const bySwitch = await statusesOver(sachet, setSwitch, 0);
  for (const named of bySwitch.named) expect(named).toContain(`rate_limit_scope=${scope}`);
  expect((await stage.switches.get()).rate_limit).toMatchObject({ remaining: 0 });
  await stage.switches.clear();
  const byChoice = await statusesOver(sachet, () => stage.assumptions.set({ rate_limit: '100/60s' }), 98);
  return [bySwitch.statuses, byChoice.statuses];
}

export const rateLimitCases: Cases<'rate_limit' | 'rate_limit_scope'> = {
  rate_limit_scope: {
    user: async (sachet) => {
      const [bySwitch, byChoice] = await limited(sachet, 'user');
      expect(bySwitch).toEqual([401, 401, 429, 401, 422, 422, 429]);
      // The threshold is 100, and the logins are far from it.
      expect(byChoice).toEqual([401, 401, 429, 401, 422, 422, 422]);
      // An export has the windows of the users, and an import brings them back.
      const stage = sachet.control.sandbox('stage');
      const state = await stage.state.get();
      expect(Object.values(state.rate_windows ?? {}).map(({ calls }) => calls)).toEqual([100, 1]);
      await stage.reset();
      await stage.state.put(state);
      expect((await stage.state.get()).rate_windows).toEqual(state.rate_windows);
    },
    sandbox: async (sachet) => {
      for (const statuses of await limited(sachet, 'sandbox'))
        expect(statuses).toEqual([401, 401, ...Array(5).fill(429)]);
    },
  },
  rate_limit: {
    off: async (sachet) => {
      expect(new Set(statuses(await answersTo(sachet, 102)))).toEqual(new Set([401]));
    },
    '100/60s': async (sachet) => {
      expect(new Set(statuses(await answersTo(sachet, 100)))).toEqual(new Set([401]));
      const [over] = await answersTo(sachet, 1);
      expect([over?.status, over?.headers.get('retry-after'), over?.body]).toEqual([
        429,
        '60',
        { statusCode: 429, error: 'Too Many Requests', message: 'Too Many Requests' },
      ]);
      await sachet.advance(58_500);
      expect((await answersTo(sachet, 1))[0]?.headers.get('retry-after')).toBe('2');
      await sachet.advance(1499);
      expect(statuses(await answersTo(sachet, 1))).toEqual([429]);
      await sachet.advance(1);
      expect(statuses(await answersTo(sachet, 101))).toEqual([...Array<number>(100).fill(401), 429]);
    },
  },
};
