// `match` narrows each switch to the calls it means; all others pass it by and use nothing up.
import { describe, expect, test } from 'vitest';
import { type Bent, bent, broken, outcomeOf, type SwitchesSent, unwaited } from '../../support/bent.ts';
import { labelUrlOf } from '../../support/labels.ts';
import { productId } from '../../support/order-requests.ts';

type Match = NonNullable<NonNullable<SwitchesSent['maintenance']>['match']>;

/** Each switch that a call shows, with a match, and what a call that it meets comes to. */
const shown: readonly [name: string, settings: (match: Match) => SwitchesSent, outcome: number | string][] = [
  ['token_expiry', (match) => ({ token_expiry: { expire_issued: true, match } }), 401],
  ['rate_limit, a burst', (match) => ({ rate_limit: { burst: 9, match } }), 429],
  ['rate_limit for a time', (match) => ({ rate_limit: { for_seconds: 60, match } }), 429],
  ['rate_limit by window', (match) => ({ rate_limit: { limit: 0, window_seconds: 60, match } }), 429],
  [
    'missing_permission',
    (match) => ({ missing_permission: { permissions: ['products:read', 'fulfillments:read', 'orders:read'], match } }),
    403,
  ],
  ['server_error', (match) => ({ server_error: { match } }), 500],
  ['latency', (match) => ({ latency: { milliseconds: 7, match } }), 'waits'],
  ['connection', (match) => ({ connection: { drop: 'before_processing', match } }), broken.whole],
  ['maintenance', (match) => ({ maintenance: { for_seconds: 60, match } }), 500],
];

const product = `/v2/products/${productId(1)}`;
const paths = ['/v2/products', product, '/v2/orders', '/sandboxes/stage/v2/fulfillments'] as const;

/** The paths of those calls that the switch met. */
async function met({ sachet, client }: Bent, outcome: number | string): Promise<string[]> {
  const waited = await unwaited(sachet);
  const found = [];
  for (const path of paths) {
    const before = waited.length;
    const status = await outcomeOf(client.get(path));
    if (status === outcome || waited.length > before) found.push(path);
    else expect(status, path).toBe(200);
  }
  return found;
}

const matches: readonly [Match, readonly string[]][] = [
  [{}, paths],
  [{ operation: 'products.list' }, ['/v2/products']],
  [{ method: 'GET' }, paths],
  [{ method: 'POST' }, []],
  [{ path: product }, [product]],
  [{ path: '/v2/products/{productId}' }, [product]],
  [{ path: '/v2/fulfillments' }, ['/sandboxes/stage/v2/fulfillments']],
  [{ operation: 'products.get', method: 'GET', path: '/v2/products/{id}' }, [product]],
  [{ operation: 'products.get', path: '/v2/products' }, []],
  [{ body: {} }, []],
];

describe.each(shown)('%s', (_, settings, outcome) => {
  test.each(matches)('with the match %j meets these calls only: %j', async (match, expected) => {
    const world = await bent();
    await world.stage.switches.set(settings(match));
    expect(await met(world, outcome)).toEqual(expected);
    const switches = Object.values(await world.stage.switches.get());
    expect(switches.find((one) => one !== null)).toMatchObject({ match });
  });

  test('without one meets them all', async () => {
    const world = await bent();
    const [[name, { match: _, ...rest }] = ['', { match: {} }]] = Object.entries<{ match?: unknown }>(
      settings({}) as Record<string, { match?: unknown }>,
    );
    await world.stage.switches.set({ [name]: rest });
    expect(await met(world, outcome)).toEqual(paths);
  });
});

test('label_expiry bends the URLs of the reads it means', async () => {
  const { stage, client } = await bent();
  const lifeOf = (url: string) => new URL(url).searchParams.get('X-Amz-Expires');
  const of = async (match: Match) => {
    await stage.switches.set({ label_expiry: { lifetime_seconds: 9, match } });
    const list = (await client.get('/v2/fulfillments?limit=1')).body.fulfillments[0];
    return [lifeOf(await labelUrlOf(client)), lifeOf(list.label_url)];
  };
  expect(await of({ operation: 'fulfillments.get' })).toEqual(['9', '900']);
  expect(await of({ path: '/v2/fulfillments' })).toEqual(['900', '9']);
  expect(await of({ method: 'POST' })).toEqual(['900', '900']);
});

test('inactive_pags holds up the orders it means', async () => {
  const { stage, order } = await bent();
  const of = async (match: Match) => {
    await stage.switches.set({ inactive_pags: { all: true, match } });
    return (await order()).body.order.status;
  };
  expect(await of({ operation: 'orders.update' })).toBe('Pending');
  expect(await of({ method: 'POST', path: '/v2/orders' })).toBe('Needs Changes');
  expect(await of({ body: { order_lines: [{ duration: 60 }] } })).toBe('Pending');
  expect(await of({ body: { order_lines: [{ duration: 30 }] } })).toBe('Needs Changes');
});
