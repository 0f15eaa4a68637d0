// The conduct report over a real port: calls in progress are judged as parallel to a rejected one, calls after it as its successors.
import { expect, onTestFinished, test } from 'vitest';
import type { ConductRuleId } from '../../src/contract/control/conduct.ts';
import { serve } from '../../src/node/serve.ts';
import { someOrder } from '../support/order-requests.ts';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A server with a client that is logged in. */
async function served() {
  const sachet = await serve();
  onTestFinished(() => sachet.close());
  const stage = sachet.sandbox('stage');
  const send = async (path: string, token = '', body?: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(sachet.baseUrl + path, { headers, ...sent });
    return { status: response.status, body: (await response.json()) as Tokens };
  };
  const login = { username: 'demo', password: 'sachet-demo' };
  const { body: tokens } = await send('/v2/authentication/token', undefined, login);
  const refresh = async () =>
    (await send('/v2/authentication/refresh-token', undefined, { refresh_token: tokens.refresh_token })).body
      .access_token;
  /** The sorted statuses of parallel calls. */
  const together = async (token: string) => {
    const calls = Array.from({ length: 10 }, () => send('/v2/products', token));
    return (await Promise.all(calls)).map(({ status }) => status).toSorted();
  };
  const outcome = async (id: ConductRuleId) => (await stage.report.get()).rules.find((rule) => rule.id === id)?.outcome;
  return { url: sachet.baseUrl, stage, send, tokens, refresh, together, outcome };
}

test('parallel calls that meet a failure are correct', async () => {
  const { stage, tokens, refresh, together, send } = await served();
  await stage.switches.set({ token_expiry: { expire_issued: true }, rate_limit: { burst: 1 } });
  expect(await together(tokens.access_token)).toEqual([...Array(9).fill(401), 429]);
  const renewed = await refresh();
  await stage.clock.advance({ seconds: 60 });
  await stage.switches.set({ server_error: { burst: 1 } });
  expect(await together(renewed)).toEqual([...Array(9).fill(200), 500]);
  await stage.clock.advance({ seconds: 10 });
  await send('/v2/products', renewed);
  const { rules } = await stage.report.get();
  expect(rules.filter(({ outcome }) => outcome === 'fail').map(({ advice }) => advice)).toEqual([]);
  const passed = rules.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['refresh_on_401', 'no_dead_token', 'retry_after', 'backoff_on_500']));
});

test('an order that the client aborted while it waited counts as lost', async () => {
  const { url, stage, send, tokens, outcome } = await served();
  await stage.switches.set({ latency: { milliseconds: 600_000, match: { operation: 'orders.create' } } });
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(someOrder()), signal: leaving.signal };
  const sent = fetch(`${url}/v2/orders`, init);
  await expect.poll(async () => (await stage.requests.list({ operation: 'orders.create' })).requests.length).toBe(1);
  leaving.abort();
  await expect(sent).rejects.toThrow();
  await stage.requests.wait({ match: { operation: 'orders.create' }, timeout_ms: 20_000 });
  await stage.switches.set({ latency: null });
  expect((await send('/v2/orders', tokens.access_token, someOrder())).status).toBe(201);
  expect(await outcome('no_double_submit')).toBe('fail');
});
