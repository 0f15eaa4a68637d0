// Packages as the partner sees them: fields, line names, numbers; and orders that are modified after they were shipped in part.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { errorOf } from '../cases/assumptions/choices.ts';
import { isTrackingNumber } from '../domain/tracking-forms.ts';
import { addressIn, lineIds, linesOf, type OperatorStage, operatorStage, orderIn, seen } from '../support/operator.ts';
import { consumerId, orderLine, pouchOf, productId } from '../support/order-requests.ts';

const fields = `id order_id consumer_id status_id delivery_date pickup_date tracking_info shipment_order_id
  shipment_order_number label_url shipping_net_charge weight created_at updated_at order_lines`.split(/\s+/);

test('a package has the 15 documented fields, alone and in both lists (FUL-1, FUL-2)', async () => {
  const world = await operatorStage();
  const id = await world.inProduction(linesOf(2));
  const { body } = await world.ship(id);
  const single = await seen(world, body.id);
  expect([fields.length, Object.keys(single).sort()]).toEqual([15, fields.toSorted()]);
  const tracking = ['shipping_carrier', 'shipping_method', 'tracking_number', 'tracking_url'];
  expect(Object.keys(single.tracking_info).sort()).toEqual(tracking);
  const { label_url, ...rest } = single;
  for (const path of [`/v2/orders/${id}/fulfillments`, `/v2/fulfillments?order_id=${id}`, '/v2/fulfillments?limit=1']) {
    const { fulfillments } = (await world.client.get(path)).body;
    expect(fulfillments).toEqual([{ ...rest, label_url: expect.stringContaining(body.id) }]);
  }
  expect((await world.sachet.call('GET', label_url)).status).toBe(200);
  expect(body).not.toHaveProperty('label_url');
});

test('weight, shipping_net_charge and duration are plain numbers, and nothing names their unit (`units`)', async () => {
  const world = await operatorStage({ assumptions: { order_fields: 'echo' } });
  const id = await world.inProduction(linesOf(1));
  const { weight, shipping_net_charge, ...fulfillment } = await seen(world, (await world.ship(id)).body.id);
  const { order } = (await world.client.get(`/v2/orders/${id}`)).body;
  const number = expect.any(Number);
  expect([weight, shipping_net_charge, order.order_lines[0].duration]).toEqual([number, number, 30]);
  expect(JSON.stringify([fulfillment, order])).not.toMatch(/"[^"]*(?:unit|currency)[^"]*":|"(?:g|grams|USD|days)"/i);
});

test('an order is placed, shipped and delivered without a call to anybody (`events`)', async () => {
  const outgoing = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => outgoing.mockRestore());
  const world = await operatorStage();
  expect((await seen(world, await world.packageIn('delivered'))).status_id).toBe('delivered');
  expect(outgoing.mock.calls).toEqual([]);
});

describe('a line is named after the content of its pouches (FUL-1)', () => {
  const [vitamin, magnesium, omega] = [1, 2, 3].map(productId);

  test('products, packs with a name, and ids of packs without one; each once, in order', async () => {
    const lines: readonly [pouches: object[], name: string | RegExp][] = [
      [[pouchOf(vitamin)], 'Sunrise Vitamin D3'],
      [
        [{ contents: [{ client_product_id: magnesium }, { client_product_id: vitamin }] }],
        'Calm Magnesium + Sunrise Vitamin D3',
      ],
      [[pouchOf(vitamin), pouchOf(omega), pouchOf(vitamin)], 'Sunrise Vitamin D3 + Clear Omega-3'],
      [[{ pack_id: 'PACK-EVENING-01' }, pouchOf(vitamin)], 'Evening Wind-Down + Sunrise Vitamin D3'],
      [[{ pack_id: 'PACK-77' }], 'PACK-77'],
      [[{ pack_id: 77 }], '77'],
      // A pack of another brand.
      [[{ pack_id: 'PACK-FOCUS-01' }], /^(?!.*Focus)/],
      [[], 'Empty pouches'],
    ];
    const world = await operatorStage({ assumptions: { empty_arrays: 'accept' } });
    const order_lines = lines.map(([pouches]) => ({ duration: 30, pouches }));
    const { body } = await world.ship(await world.inProduction({ order_lines }));
    const names = (await seen(world, body.id)).order_lines.map(({ name }: { name: string }) => name);
    expect(names).toEqual(lines.map(([, name]) => (typeof name === 'string' ? name : expect.stringMatching(name))));
  });

  test('as it was called when it was shipped', async () => {
    const world = await operatorStage();
    const { id } = (await world.ship(orderIn['In Production'])).body;
    const before = (await seen(world, id)).order_lines;
    const { products } = await world.stage.records.products.list();
    for (const product of products) await world.stage.records.products.update(product.id, { product_name: 'Other' });
    expect((await seen(world, id)).order_lines).toEqual(before);
  });
});

const formats: Readonly<Record<string, Parameters<typeof isTrackingNumber>[0]>> = {
  UPS: 'ups_1z',
  USPS: 'usps_22',
  'USPS International': 'upu_s10',
  FedEx: 'fedex_12',
  'DHL Express': 'dhl_10',
};
type Package = Awaited<ReturnType<OperatorStage['package']>>;

/** Ships each of so many lines in its own package. */
async function shipEach(world: OperatorStage, count: number, country = 'USA'): Promise<Package[]> {
  const id = await world.inProduction({ ...linesOf(count), ...addressIn(country) });
  const shipped: Package[] = [];
  for (const line of await lineIds(world, id)) shipped.push((await world.ship(id, { order_lines: [line] })).body);
  return shipped;
}
const numbersOf = (one: Package) => {
  const { id, shipment_order_id, shipment_order_number, tracking_info } = one;
  return { id, shipment_order_id, shipment_order_number, tracking: tracking_info?.tracking_number };
};
const repeatedIn = (shipped: readonly Package[]): string[] => {
  const all = shipped.flatMap((one) =>
    Object.entries(numbersOf(one)).flatMap(([kind, it]) => (it ? `${kind} ${it}` : [])),
  );
  return all.filter((one, index) => all.indexOf(one) !== index);
};

test('ids and numbers of 90 shipments and those of the fixtures differ, with correct check digits; other sandboxes count on', async () => {
  const world = await operatorStage();
  const shipped: Package[] = [];
  for (const country of ['United States', 'Germany', 'USA']) shipped.push(...(await shipEach(world, 30, country)));
  const wrong = shipped.filter(({ tracking_info }) => {
    const format = formats[tracking_info?.shipping_carrier ?? ''];
    return !format || !isTrackingNumber(format, tracking_info?.tracking_number ?? '');
  });
  expect([shipped.length, wrong]).toEqual([90, []]);
  const all = (await world.stage.records.fulfillments.list()).fulfillments;
  expect([all.length > 90, repeatedIn(all)]).toEqual([true, []]);
  const { data } = await world.stage.state.get();
  expect(repeatedIn([...all, ...(await shipEach(await operatorStage({ fixtures: data }), 3))])).toEqual([]);
});

describe('an order On Hold of which a line is shipped, which order_transitions=any allows (ORD-22)', () => {
  const shipping_address = { address1: '2 Side Street', city: 'Bern', country_name: 'Switzerland' };
  const order_lines = [{ ...orderLine(), duration: 60 }];

  async function heldAndShipped() {
    const world = await operatorStage({ assumptions: { order_transitions: 'any', order_fields: 'echo' } });
    const id = await world.inProduction(linesOf(2));
    const lines = await lineIds(world, id);
    const shipped = (await world.ship(id, { order_lines: lines.slice(0, 1) })).body.id as string;
    expect((await world.act(id, 'hold')).body.status).toBe('On Hold');
    const modify = (change: object) => world.client.patch(`/v2/orders/${id}`, change);
    return { world, id, lines, shipped, modify };
  }

  test('keeps its lines and its consumer; invalid changes are rejected by their own rule', async () => {
    const { world, modify } = await heldAndShipped();
    const { version } = await world.sachet.sandbox();
    for (const change of [
      { order_lines },
      { order_lines, shipping_address },
      { consumer: { id: consumerId(2) } },
      { consumer: { first_name: 'Ada', last_name: 'Lovelace' } },
    ]) {
      const { body, headers } = await modify(change);
      expect(body, JSON.stringify(change)).toEqual(errorOf(422, 'Order cannot be modified'));
      expect(headers.get('sandbox-rule'), JSON.stringify(change)).toBe('ORD-22');
    }
    const { requests } = await world.stage.requests.list();
    const { decision } = await world.stage.requests.get(requests.at(-1)?.id ?? '');
    expect(decision?.sentence).toContain('Rejected by ORD-22: the order is "On Hold, with shipped lines". ');
    expect((await modify({ order_lines: [] })).headers.get('sandbox-rule')).toBe('ORD-4');
    expect((await world.sachet.sandbox()).version === version).toBe(true);
  });

  test('takes another address, to which the rest is shipped, and its own consumer again', async () => {
    const { world, id, lines, shipped, modify } = await heldAndShipped();
    const { body } = await modify({ consumer: { id: consumerId(1).toUpperCase() }, shipping_address });
    expect(body.order).toMatchObject({ shipping_address, consumer: { id: consumerId(1) } });
    expect(await lineIds(world, id)).toEqual(lines);
    const rest = (await world.ship(id)).body;
    expect(rest.order_lines.map((line: { id: string }) => line.id)).toEqual(lines.slice(1));
    expect(['DHL Express', 'USPS International']).toContain(rest.tracking_info.shipping_carrier);
    expect((await seen(world, shipped)).order_id).toBe(id);
  });
});
