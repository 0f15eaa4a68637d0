// The conduct report over a real port: calls in progress are judged as parallel to a rejected one, calls after it as its successors.
import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/node/serve.ts';
import { someOrder } from '../support/order-requests.ts';

/** A sandbox on a port, and the tokens of a login. */
async function served() {
  const sachet = await serve();
  onTestFinished(() => sachet.close());
  const stage = sachet.sandbox('stage');
  const post = (path: string, body: object, token = '', init: RequestInit = {}) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    return stage.fetch(path, { method: 'POST', headers, body: JSON.stringify(body), ...init });
  };
  const login = await post('/v2/authentication/token', { username: 'demo', password: 'sachet-demo' });
  const { access_token: token, refresh_token } = await login.json();
  return { stage, post, token, refresh_token };
}

test('parallel calls that meet a failure are correct', async () => {
  const { stage, post, token, refresh_token } = await served();
  const get = async (by: string) =>
    (await stage.fetch('/v2/products', { headers: { authorization: `Bearer ${by}` } })).status;
  const together = async (by: string) => (await Promise.all(Array.from({ length: 10 }, () => get(by)))).toSorted();
  await stage.switches.set({ token_expiry: { expire_issued: true }, rate_limit: { burst: 1 } });
  expect(await together(token)).toEqual([...Array(9).fill(401), 429]);
  const { access_token: renewed } = await (await post('/v2/authentication/refresh-token', { refresh_token })).json();
  await stage.clock.advance({ seconds: 60 });
  await stage.switches.set({ server_error: { burst: 1 } });
  expect(await together(renewed)).toEqual([...Array(9).fill(200), 500]);
  await stage.clock.advance({ seconds: 10 });
  await get(renewed);
  const { rules } = await stage.report.get();
  expect(rules.filter(({ outcome }) => outcome === 'fail').map(({ advice }) => advice)).toEqual([]);
  const passed = rules.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['refresh_on_401', 'no_dead_token', 'retry_after', 'backoff_on_500']));
});

test('an order that the client aborted while it waited counts as lost', async () => {
  const { stage, post, token } = await served();
  const match = { operation: 'orders.create' } as const;
  await stage.switches.set({ latency: { milliseconds: 600_000, match } });
  const leaving = new AbortController();
  const sent = post('/v2/orders', someOrder(), token, { signal: leaving.signal });
  await expect.poll(async () => (await stage.requests.list(match)).requests.length).toBe(1);
  leaving.abort();
  await expect(sent).rejects.toThrow();
  await stage.requests.wait({ match, timeout_ms: 20_000 });
  await stage.switches.set({ latency: null });
  expect((await post('/v2/orders', someOrder(), token)).status).toBe(201);
  const { rules } = await stage.report.get();
  expect(rules.find(({ id }) => id === 'no_double_submit')?.outcome).toBe('fail');
});
