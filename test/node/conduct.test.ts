// The conduct report over a real port: which calls were under way beside a refusal, and which came of it.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { Sandbox } from '../../src/client/sandbox.ts';
import type { ConductRuleId } from '../../src/contract/control/conduct.ts';
import { serve } from '../../src/node/serve.ts';
import { inMachineTime } from '../support/machine-time.ts';
import { someOrder } from '../support/order-requests.ts';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

async function served() {
  const sachet = await serve();
  onTestFinished(() => sachet.close());
  const stage = sachet.sandbox('stage');
  const send = (path: string, body?: object, token?: string, signal?: AbortSignal) =>
    fetch(`${sachet.baseUrl}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    });
  const login = await send('/v2/authentication/token', { username: 'demo', password: 'sachet-demo' });
  const tokens = (await login.json()) as Tokens;
  /** The status of an answer that was read to its end. */
  const status = async (answer: Promise<Response>) => {
    const answered = await answer;
    await answered.text();
    return answered.status;
  };
  return { stage, send, tokens, status, url: sachet.baseUrl };
}

async function refreshed(url: string, refresh_token: string): Promise<Tokens> {
  const answer = await fetch(`${url}/v2/authentication/refresh-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token }),
  });
  return (await answer.json()) as Tokens;
}

const ruled = async (stage: Sandbox, id: ConductRuleId) =>
  (await stage.report.get()).rules.find((rule) => rule.id === id)?.outcome;

test('calls that were sent together with a dead token are right, one that follows its refusal is not', async () => {
  const { stage, send, status, tokens } = await served();
  await stage.switches.set({ token_expiry: { expire_issued: true } });
  const products = (token: string) => status(send('/v2/products', undefined, token));
  const tenTimes = (token: string) => Promise.all(Array.from({ length: 10 }, () => products(token)));
  expect(await tenTimes(tokens.access_token)).toEqual(Array(10).fill(401));
  const refreshed = await send('/v2/authentication/refresh-token', { refresh_token: tokens.refresh_token });
  const { access_token } = (await refreshed.json()) as Tokens;
  expect(await tenTimes(access_token)).toEqual(Array(10).fill(200));
  expect([await ruled(stage, 'refresh_on_401'), await ruled(stage, 'no_dead_token')]).toEqual(['pass', 'pass']);
});

test('calls that waited for a socket of a small pool were under way', async () => {
  const { stage, tokens, url } = await served();
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  onTestFinished(() => agent.destroy());
  const products = async (token: string) => {
    const sent = request(`${url}/v2/products`, { agent, headers: { authorization: `Bearer ${token}` } }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode;
  };
  const tenTimes = (token: string) => Promise.all(Array.from({ length: 10 }, () => products(token)));
  await stage.switches.set({ token_expiry: { expire_issued: true } });
  expect(await tenTimes(tokens.access_token)).toEqual(Array(10).fill(401));
  const { access_token } = await refreshed(url, tokens.refresh_token);
  await stage.switches.set({ rate_limit: { burst: 1 } });
  await tenTimes(access_token);
  await stage.clock.advance({ seconds: 60 });
  expect(await products(access_token)).toBe(200);
  for (const id of ['refresh_on_401', 'no_dead_token', 'retry_after'] as const)
    expect(await ruled(stage, id), id).toBe('pass');
});

test('whoever goes on with a dead token, and not with the new one, is told', async () => {
  const { stage, send, status, tokens, url } = await served();
  await stage.switches.set({ token_expiry: { expire_issued: true } });
  const products = () => status(send('/v2/products', undefined, tokens.access_token));
  expect(await products()).toBe(401);
  await refreshed(url, tokens.refresh_token);
  expect(await products()).toBe(401);
  expect(await ruled(stage, 'no_dead_token')).toBe('fail');
});

test('whoever repeats its call at once, and does nothing right afterwards, is told', inMachineTime, async () => {
  const { stage, send, status, tokens } = await served();
  const twice = async (path: string) => {
    for (let n = 0; n < 2; n += 1) await status(send(path, undefined, tokens.access_token));
  };
  await stage.switches.set({ rate_limit: { burst: 1 } });
  await twice('/v2/products');
  expect(await ruled(stage, 'retry_after')).toBe('fail');
  await stage.switches.set({ server_error: { burst: 1 } });
  await twice('/v2/fulfillments');
  expect(await ruled(stage, 'backoff_on_500')).toBe('fail');
  await stage.switches.set({ token_expiry: { expire_issued: true } });
  await twice('/v2/products');
  expect(await ruled(stage, 'no_dead_token')).toBe('fail');
});

test('calls beside one that meets the limit or fails are right, once that one comes back in time', async () => {
  const { stage, send, status, tokens } = await served();
  const calls = (count: number) =>
    Promise.all(Array.from({ length: count }, () => status(send('/v2/products', undefined, tokens.access_token))));
  await stage.switches.set({ rate_limit: { burst: 1 } });
  await calls(10);
  await stage.clock.advance({ seconds: 60 });
  await calls(1);
  expect(await ruled(stage, 'retry_after')).toBe('pass');
  await stage.switches.set({ server_error: { burst: 1 } });
  await calls(10);
  await stage.clock.advance({ seconds: 1 });
  await calls(1);
  expect(await ruled(stage, 'backoff_on_500')).toBe('pass');
});

test('an order that the client gave up while it waited is lost to it', async () => {
  const { stage, send, status, tokens } = await served();
  await stage.switches.set({ latency: { milliseconds: 600_000, match: { operation: 'orders.create' } } });
  const leaving = new AbortController();
  const sent = send('/v2/orders', someOrder(), tokens.access_token, leaving.signal);
  const arrived = async () => (await stage.requests.list({ operation: 'orders.create' })).requests.length;
  await expect.poll(arrived).toBe(1);
  leaving.abort();
  await expect(sent).rejects.toThrow();
  await stage.requests.wait({ match: { operation: 'orders.create' }, timeout_ms: 20_000 });
  await stage.switches.set({ latency: null });
  expect(await status(send('/v2/orders', someOrder(), tokens.access_token))).toBe(201);
  expect(await ruled(stage, 'no_double_submit')).toBe('fail');
});
