// `match` limits each switch to some calls; others are not affected and use nothing up.
import { expect, test } from 'vitest';
import { productId } from '../../support/order-requests.ts';
import { broken, outcomeOf, recordDelays, type SwitchesSent, testStage } from '../../support/stage.ts';

type Match = NonNullable<NonNullable<SwitchesSent['maintenance']>['match']>;
const permissions = ['products:read', 'fulfillments:read', 'orders:read'] as const;

/** Each switch that affects any call, and the outcome of the calls that it affects. */
const switches: readonly [settings: (match: Match) => SwitchesSent, outcome: number | string][] = [
  [(match) => ({ token_expiry: { expire_issued: true, match } }), 401],
  [(match) => ({ rate_limit: { burst: 9, match } }), 429],
  [(match) => ({ rate_limit: { for_seconds: 60, match } }), 429],
  [(match) => ({ rate_limit: { limit: 0, window_seconds: 60, match } }), 429],
  [(match) => ({ missing_permission: { permissions: [...permissions], match } }), 403],
  [(match) => ({ server_error: { match } }), 500],
  [(match) => ({ latency: { milliseconds: 7, match } }), 'waits'],
  [(match) => ({ connection: { drop: 'before_processing', match } }), broken.whole],
  [(match) => ({ maintenance: { for_seconds: 60, match } }), 500],
];

const product = `/v2/products/${productId(1)}`;
const paths = ['/v2/products', product, '/v2/orders', '/sandboxes/stage/v2/fulfillments'];

const matches: readonly [Match, affected: readonly string[]][] = [
  [{}, paths],
  [{ operation: 'products.list' }, ['/v2/products']],
  [{ method: 'POST' }, []],
  [{ path: '/v2/products/{productId}' }, [product]],
  [{ operation: 'products.get', method: 'GET', path: '/v2/products/{id}' }, [product]],
  [{ body: {} }, []],
];

test.each(switches)('%o', async (settings, outcome) => {
  const { sachet, stage, client } = await testStage();
  const waited = await recordDelays(sachet);
  // Every switch has two of the matches; one has them all.
  const some = outcome === 500 ? matches : matches.slice(1, 3);
  for (const [match, expected] of some) {
    await stage.switches.clear();
    await stage.switches.set(settings(match));
    const affected = [];
    for (const path of paths) {
      const before = waited.length;
      const found = await outcomeOf(client.get(path));
      if (found === outcome || waited.length > before) affected.push(path);
      else expect(found, path).toBe(200);
    }
    expect(affected, JSON.stringify(match)).toEqual(expected);
    expect(Object.values(await stage.switches.get()).find((one) => one !== null)).toMatchObject({ match });
  }
});

test('inactive_pags affects the orders that match', async () => {
  const { stage, order } = await testStage();
  const statusWith = async (match: Match) => {
    await stage.switches.set({ inactive_pags: { all: true, match } });
    return (await order()).body.order.status;
  };
  expect(await statusWith({ operation: 'orders.update' })).toBe('Pending');
  expect(await statusWith({ method: 'POST', path: '/v2/orders' })).toBe('Needs Changes');
  expect(await statusWith({ body: { order_lines: [{ duration: 60 }] } })).toBe('Pending');
  expect(await statusWith({ body: { order_lines: [{ duration: 30 }] } })).toBe('Needs Changes');
});
