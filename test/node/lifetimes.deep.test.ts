// The four limits that partners must test, over HTTP and in no time: a token's day, the 429's minute, inactive PAGs, a label's quarter of
// an hour. Each by the sandbox's clock, and each by a switch: on by one call, off by another.
import { describe, expect, test } from 'vitest';
import { type ControlClient, controlClient } from '../../src/client/control-client.ts';
import { serving } from '../support/command.ts';
import { inMachineTime } from '../support/machine-time.ts';
import { someOrder } from '../support/order-requests.ts';

const adminKey = 'the-key-of-the-lifetimes';

interface Partner {
  readonly url: string;
  readonly stage: ReturnType<ControlClient['sandbox']>;
  /** Logs in, and calls with that token from then on. */
  logIn(): Promise<void>;
  call(method: string, path: string, body?: unknown): Promise<Response>;
  status(path?: string): Promise<number>;
}

/** A server of the built command, and a partner who is logged in there and holds the admin key. */
async function partner() {
  const server = await serving(['--admin-key', adminKey]);
  const { url, username, password } = server.ready;
  let token = '';
  const call: Partner['call'] = (method, path, body) => {
    // A label_url is absolute, and its storage takes no token.
    const authorization: Record<string, string> = path.startsWith('/') ? { authorization: `Bearer ${token}` } : {};
    const headers = { ...authorization, 'content-type': 'application/json' };
    return fetch(new URL(path, url), {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  const logIn = async () => {
    const answer = await call('POST', '/v2/authentication/token', { username, password });
    token = ((await answer.json()) as { access_token: string }).access_token;
  };
  const status = async (path = '/v2/products') => {
    const answer = await call('GET', path);
    await answer.arrayBuffer();
    return answer.status;
  };
  await logIn();
  const { sandbox } = controlClient({ url, adminKey });
  return { server, url, call, logIn, status, stage: sandbox('stage') };
}

/** A fresh label URL. */
async function labelOf({ call }: Pick<Partner, 'call'>): Promise<string> {
  const { fulfillments } = (await (await call('GET', '/v2/fulfillments?limit=1')).json()) as {
    fulfillments: { label_url: string }[];
  };
  return fulfillments[0]?.label_url ?? '';
}

const statusOfOrder = async ({ call }: Pick<Partner, 'call'>): Promise<string> =>
  ((await (await call('POST', '/v2/orders', someOrder())).json()) as { order: { status: string } }).order.status;

test("a token's 24 hours and a rate window of 60 seconds are lived through in seconds", inMachineTime, async () => {
  const { stage, call, status, logIn } = await partner();
  const began = performance.now();
  expect(await status()).toBe(200);
  await stage.clock.advance({ by: 'PT23H59M' });
  expect(await status()).toBe(200);
  await stage.clock.advance({ seconds: 60 });
  expect(await status()).toBe(401);
  await logIn();
  expect(await status()).toBe(200);
  await stage.switches.set({ rate_limit: { for_seconds: 60 } });
  const limited = await call('GET', '/v2/products');
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60']);
  await stage.clock.advance({ seconds: 50 });
  expect(await status()).toBe(429);
  await stage.clock.advance({ seconds: 10 });
  expect(await status()).toBe(200);
  expect(performance.now() - began).toBeLessThan(10_000);
});

describe('a switch goes on by one call and off by another', () => {
  test('token expiry', async () => {
    const { stage, status, logIn } = await partner();
    await stage.switches.set({ token_expiry: { expire_issued: true } });
    expect([await status(), await status()]).toEqual([401, 401]);
    await logIn();
    expect(await status()).toBe(200);
    await stage.switches.set({ token_expiry: { lifetime_seconds: 60 } });
    await logIn();
    await stage.clock.advance({ seconds: 61 });
    expect(await status()).toBe(401);
    await stage.switches.set({ token_expiry: null });
    await logIn();
    await stage.clock.advance({ seconds: 61 });
    expect(await status()).toBe(200);
  });

  test('a burst of 429 with Retry-After: 60', async () => {
    const { stage, call, status } = await partner();
    await stage.switches.set({ rate_limit: { burst: 3 } });
    const { status: first, headers } = await call('GET', '/v2/products');
    expect([first, headers.get('retry-after')]).toEqual([429, '60']);
    expect([await status(), await status(), await status()]).toEqual([429, 429, 200]);
    await stage.switches.set({ rate_limit: { burst: 3 } });
    expect(await status()).toBe(429);
    await stage.switches.set({ rate_limit: null });
    expect(await status()).toBe(200);
  });

  test('inactive PAGs', async () => {
    const { stage, call } = await partner();
    expect(await statusOfOrder({ call })).toBe('Pending');
    await stage.switches.set({ inactive_pags: { all: true } });
    expect(await statusOfOrder({ call })).toBe('Needs Changes');
    await stage.switches.set({ inactive_pags: null });
    expect(await statusOfOrder({ call })).toBe('Pending');
  });

  test('label expiry', async () => {
    const { stage, call, status } = await partner();
    const label = await labelOf({ call });
    expect(await status(label)).toBe(200);
    await stage.switches.set({ label_expiry: { expire_issued: true, lifetime_seconds: 30 } });
    const fresh = await labelOf({ call });
    expect([await status(label), await status(fresh)]).toEqual([403, 200]);
    await stage.clock.advance({ seconds: 31 });
    expect(await status(fresh)).toBe(403);
    await stage.switches.set({ label_expiry: null });
    const last = await labelOf({ call });
    await stage.clock.advance({ seconds: 890 });
    expect(await status(last)).toBe(200);
    await stage.clock.advance({ seconds: 11 });
    expect([await status(last), await status(label)]).toEqual([403, 403]);
  });
});

test(
  'SIGTERM ends an open event stream and a delayed call at once, and the process ends with 0',
  inMachineTime,
  async () => {
    const { server, url, stage, call } = await partner();
    await stage.switches.set({ latency: { milliseconds: 3_600_000 } });
    const events = await fetch(`${url}/_admin/sandboxes/stage/events`, {
      headers: { authorization: `Bearer ${adminKey}` },
    });
    const delayed = call('GET', '/v2/products').then(({ status }) => status);
    await expect.poll(async () => (await stage.requests.list({ operation: 'products.list' })).requests.length).toBe(1);
    server.child.kill('SIGTERM');
    expect(await delayed).toBe(200);
    expect(await events.text()).toContain('event: state');
    expect(await server.ended()).toBe(0);
  },
);
