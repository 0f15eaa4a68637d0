// The business rules of an order: which record a message names, and which rule comes first.
import { describe, expect, test } from 'vitest';
import { invalid, type Refused } from '../cases/case.ts';
import { errorBodyOf, prepare } from '../cases/rejected.ts';
import { known, lineOf, orderWith, unknownId } from '../cases/requests.ts';
import { dropDefaultPag, orderBusinessCases } from '../cases/table.ts';
import { fixtures, testSachet } from '../support/sachet.ts';

async function expectRejected(lines: readonly unknown[], refused: Refused, changed = fixtures): Promise<void> {
  const client = await testSachet({ fixtures: changed }).login();
  const { body } = await client.post('/v2/orders', orderWith({ order_lines: lines }));
  expect(body).toEqual(errorBodyOf(refused));
}

describe('the names in a message are unique, in the order of the first use', () => {
  const ids = [1, 2, 3].map((n) => `20000000-0000-4000-8000-00000000000${n}`) as [string, string, string];
  const [d3, magnesium, omega] = ids;
  const lines = [lineOf(omega), lineOf(magnesium, omega), lineOf(d3, magnesium, d3)];

  test('of inactive client products (ORD-19)', async () => {
    const products = fixtures.products.map((one) => ({ ...one, active: one.active && !ids.includes(one.id) }));
    const names = 'Clear Omega-3, Calm Magnesium, Sunrise Vitamin D3';
    const message = `The following client products are inactive and cannot be ordered: ${names}`;
    await expectRejected(lines, invalid('order_lines', message), { ...fixtures, products });
  });

  test("of the operator's discontinued products (ORD-20)", async () => {
    const shared = fixtures.products.find(({ id }) => id === d3)?.operator_product_id ?? '';
    const changed = {
      ...fixtures,
      products: fixtures.products.map((one) => (one.id === omega ? { ...one, operator_product_id: shared } : one)),
      operator: { name: 'Lowland' },
      operator_products: fixtures.operator_products.map((one) => ({ ...one, discontinued: true })),
    };
    const names = 'Vitamin D3 2000 IU Softgel, Magnesium Glycinate 120 mg Capsule';
    const message = `The following Lowland products are inactive and cannot be ordered: ${names}`;
    await expectRejected(lines, invalid('order_lines', message), changed);
  });
});

test('ORD-21 names the first line without a PAG, also for a brand without any', async () => {
  const { message } = orderBusinessCases['ORD-21'].refused;
  const lines = [30, 31, 32].map((duration) => ({ ...lineOf(known.product), duration }));
  const request = { body: orderWith({ order_lines: lines }) };
  const { send } = await prepare('orders.create', { meanwhile: dropDefaultPag, request });
  expect((await send()).body).toEqual(errorBodyOf(invalid('order_lines.1', message)));
  const ofNoPag = { body: orderWith({ order_lines: [lineOf(known.noPagProduct)] }) };
  const other = await prepare('orders.create', { user: 'no-pag', request: ofNoPag });
  expect((await other.send()).body).toEqual(errorBodyOf(invalid('order_lines.0', message)));
});

test.each(['orders.create', 'orders.update'] as const)(
  '%s checks the rules in their order, not in that of the lines',
  async (id) => {
    const breaks = [
      ['ORD-11', {}],
      ['ORD-17', lineOf(unknownId)],
      ['ORD-18', lineOf(known.foreignProduct)],
      ['pack_id', { duration: 30, pouches: [{ pack_id: known.foreignPack }] }],
      ['ORD-19', lineOf(known.inactiveProduct)],
      ['ORD-20', lineOf(known.discontinuedProduct)],
      ['ORD-21', { ...lineOf(known.product), duration: 31 }],
    ] as const;
    for (const [index, [rule]] of breaks.entries()) {
      // Lines that break later rules come first.
      const lines = breaks.slice(Math.max(index, 1)).map(([, line]) => line);
      const consumer = { id: index === 0 ? unknownId : known.consumer };
      const body = orderWith({ consumer, order_lines: lines.reverse() });
      const given = { assumptions: { pack_id: 'known' }, meanwhile: dropDefaultPag, request: { body } } as const;
      const { send } = await prepare(id, given);
      expect([rule, (await send()).body.message]).toEqual([rule, orderBusinessCases[rule].refused.message]);
    }
  },
);

test('an order that cannot be modified is rejected as such, whatever the request has', async () => {
  const body = orderWith({ consumer: { id: unknownId }, order_lines: [lineOf(unknownId)] });
  const { send } = await prepare('orders.update', { request: { path: `/v2/orders/${known.inProductionOrder}`, body } });
  expect((await send()).body).toEqual(errorBodyOf({ status: 422, message: 'Order cannot be modified' }));
});
