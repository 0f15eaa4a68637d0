import { describe, expect, test } from 'vitest';
import type { Choices } from '../../src/contract/assumptions.ts';
import { invalid, type Refused } from '../cases/case.ts';
import { dropDefaultPag, orderBusinessCases, orderCases } from '../cases/table.ts';
import { known, lineOf, orderWith, unknownId } from '../cases/requests.ts';
import { errorBodyOf, prepare } from '../support/refused.ts';
import { fixtures, testSachet } from '../support/sachet.ts';

const productAt = (line: number, pouch: number) => `order_lines.${line}.pouches.${pouch}.contents.0.client_product_id`;

async function expectRefused(lines: readonly unknown[], refused: Refused, changed = fixtures): Promise<void> {
  const client = await testSachet({ fixtures: changed }).login();
  const { body } = await client.post('/v2/orders', orderWith({ order_lines: lines }));
  expect(body).toEqual(errorBodyOf(refused));
}

test.each([
  ['ORD-17', unknownId, 'Product not found'],
  ['ORD-18', known.foreignProduct, 'Product does not belong to client'],
])('%s is told once, of the first such product', async (_, id, message) => {
  const lines = [lineOf(known.product), lineOf(known.product, id), lineOf(id)];
  await expectRefused(lines, invalid(productAt(1, 1), message));
});

describe('names stand once each, in the order of first use', () => {
  const [d3, magnesium, omega] = [1, 2, 3].map((n) => `20000000-0000-4000-8000-00000000000${n}`) as [
    string,
    string,
    string,
  ];
  const lines = [lineOf(omega), lineOf(known.product2, omega), lineOf(d3, magnesium, d3)];

  test('of the client products that are inactive (ORD-19)', async () => {
    const asleep = [d3, magnesium, omega];
    const products = fixtures.products.map((one) => ({ ...one, active: one.active && !asleep.includes(one.id) }));
    const names = 'Clear Omega-3, Calm Magnesium, Sunrise Vitamin D3';
    const message = `The following client products are inactive and cannot be ordered: ${names}`;
    await expectRefused(lines, invalid('order_lines', message), { ...fixtures, products });
  });

  test("of the operator's products that are discontinued behind them (ORD-20)", async () => {
    const [shared] = fixtures.products.filter(({ id }) => id === d3);
    const products = fixtures.products.map((one) =>
      one.id === omega ? { ...one, operator_product_id: shared?.operator_product_id ?? '' } : one,
    );
    const changed = {
      ...fixtures,
      products,
      operator: { name: 'Lowland' },
      operator_products: fixtures.operator_products.map((one) => ({ ...one, discontinued: true })),
    };
    const names = 'Vitamin D3 2000 IU Softgel, Magnesium Glycinate 120 mg Capsule';
    const message = `The following Lowland products are inactive and cannot be ordered: ${names}`;
    await expectRefused(lines, invalid('order_lines', message), changed);
  });
});

test('a brand without a PAG can order nothing (ORD-21)', async () => {
  const { send } = await prepare('orders.create', {
    user: 'no-pag',
    request: { body: orderWith({ order_lines: [lineOf(known.noPagProduct)] }) },
  });
  expect((await send()).body).toEqual(errorBodyOf(orderBusinessCases['ORD-21'].refused));
});

test('ORD-21 is told of the first line without a PAG', async () => {
  const lines = [30, 31, 32].map((duration) => ({ ...lineOf(known.product), duration }));
  const { send } = await prepare('orders.create', {
    meanwhile: dropDefaultPag,
    request: { body: orderWith({ order_lines: lines }) },
  });
  const { message } = orderBusinessCases['ORD-21'].refused;
  expect((await send()).body).toEqual(errorBodyOf(invalid('order_lines.1', message)));
});

/** What breaks one rule each, in the order in which the rules are checked. */
const breaks = [
  ['ORD-11', {}],
  ['ORD-17', lineOf(unknownId)],
  ['ORD-18', lineOf(known.foreignProduct)],
  ['pack_id', { duration: 30, pouches: [{ pack_id: known.foreignPack }] }],
  ['ORD-19', lineOf(known.inactiveProduct)],
  ['ORD-20', lineOf(known.discontinuedProduct)],
  ['ORD-21', { ...lineOf(known.product), duration: 31 }],
] as const;

describe.each(['orders.create', 'orders.update'] as const)('%s that breaks several rules', (id) => {
  test.each(breaks.map(([rule], index) => [rule, index] as const))('is answered by %s first', async (rule, index) => {
    // Later rules stand on earlier lines, so that it is not the lines that decide.
    const lines = breaks
      .slice(Math.max(index, 1))
      .map(([, line]) => line)
      .reverse();
    const consumer = { id: index === 0 ? unknownId : known.consumer };
    const { send } = await prepare(id, {
      assumptions: { pack_id: 'known' },
      meanwhile: dropDefaultPag,
      request: { body: orderWith({ consumer, order_lines: lines }) },
    });
    expect((await send()).body.message).toBe(orderBusinessCases[rule].refused.message);
  });
});

test('an order that cannot be modified is refused as such, whatever the request would bring', async () => {
  const body = orderWith({ consumer: { id: unknownId }, order_lines: [lineOf(unknownId)] });
  const request = { path: `/v2/orders/${known.inProductionOrder}`, body };
  const { send } = await prepare('orders.update', { request });
  expect((await send()).body).toEqual(errorBodyOf({ status: 422, message: 'Order cannot be modified' }));
});

const statuses = [
  ['ORD-11', 404],
  ['ORD-17', 404],
  ['ORD-18', 403],
  ['ORD-19', 422],
  ['ORD-20', 422],
  ['ORD-21', 422],
  ['ORD-22', 400],
  ['ORD-23', 400],
] as const;

describe.each(statuses)('the status of %s by business_rule_status', (rule, perKind) => {
  const id = rule === 'ORD-23' ? 'orders.cancel' : 'orders.update';
  const given = { ...orderCases['orders.update'], ...orderCases['orders.cancel'] }[rule];
  test.each([
    ['422', 422],
    ['400', 400],
    ['per_kind', perKind],
  ] as const)('%s', async (choice, status) => {
    const assumptions: Partial<Choices> = { business_rule_status: choice };
    const { send } = await prepare(id, { ...given, assumptions });
    const answer = await send();
    expect([answer.status, answer.body]).toEqual([status, errorBodyOf({ ...given.refused, status })]);
  });
});
