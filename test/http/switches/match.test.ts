// `match` limits each switch to some calls; others are not affected. What matches: test/http/faults-match.test.ts.
import { expect, test } from 'vitest';
import { bent, broken, outcomeOf, type SwitchesSent, unwaited } from '../../support/bent.ts';
import { productId } from '../../support/order-requests.ts';

const match = { operation: 'products.list' } as const;
const permissions = ['products:read', 'orders:read'] as const;

test.each<readonly [SwitchesSent, number | string]>([
  [{ token_expiry: { expire_issued: true, match } }, 401],
  [{ rate_limit: { burst: 9, match } }, 429],
  [{ rate_limit: { for_seconds: 60, match } }, 429],
  [{ rate_limit: { limit: 0, window_seconds: 60, match } }, 429],
  [{ missing_permission: { permissions: [...permissions], match } }, 403],
  [{ server_error: { match } }, 500],
  [{ latency: { milliseconds: 7, match } }, 'delayed'],
  [{ connection: { drop: 'before_processing', match } }, broken.whole],
  [{ maintenance: { for_seconds: 60, match } }, 500],
])('%j', async (switches, expected) => {
  const { sachet, stage, client } = await bent();
  const waited = await unwaited(sachet);
  await stage.switches.set(switches);
  const outcome = async (path: string) => {
    const before = waited.length;
    const found = await outcomeOf(client.get(path));
    return waited.length > before ? 'delayed' : found;
  };
  expect(await outcome('/v2/products')).toBe(expected);
  expect([await outcome(`/v2/products/${productId(1)}`), await outcome('/v2/orders')]).toEqual([200, 200]);
  expect(Object.values(await stage.switches.get()).find((one) => one !== null)).toMatchObject({ match });
});

test('inactive_pags affects the orders that match', async () => {
  const { stage, order } = await bent();
  const ordered = async (match: object) => {
    await stage.switches.set({ inactive_pags: { all: true, match } });
    return (await order()).body.order.status;
  };
  expect(await ordered({ operation: 'orders.update' })).toBe('Pending');
  expect(await ordered({ method: 'POST', path: '/v2/orders' })).toBe('Needs Changes');
  expect(await ordered({ body: { order_lines: [{ duration: 60 }] } })).toBe('Pending');
  expect(await ordered({ body: { order_lines: [{ duration: 30 }] } })).toBe('Needs Changes');
});
