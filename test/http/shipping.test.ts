// Packages as the partner sees them: fields, line names, numbers; and orders that are modified after they were shipped in part.
import { describe, expect, test } from 'vitest';
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

test('statuses are UUIDs under status_id=uuid, missing dates are left out under absent_values=omitted', async () => {
  const world = await operatorStage({ assumptions: { status_id: 'uuid', absent_values: 'omitted' } });
  const id = await world.packageIn('label_created');
  expect((await seen(world, id)).status_id).toBe('61000000-0000-4000-8000-000000000001');
  await world.move(id, 'pick_up');
  const { status_id, ...rest } = await seen(world, id);
  expect(status_id).toBe('61000000-0000-4000-8000-000000000002');
  const present = fields.filter((field) => !['status_id', 'delivery_date'].includes(field));
  expect(Object.keys(rest).sort()).toEqual(present.toSorted());
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
      [[], /\S/],
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

describe('ids and numbers', () => {
  const formats = {
    UPS: 'ups_1z',
    USPS: 'usps_22',
    'USPS International': 'upu_s10',
    FedEx: 'fedex_12',
    'DHL Express': 'dhl_10',
  } as const;
  interface Shipped {
    readonly id: string;
    readonly shipment_order_id: string;
    readonly shipment_order_number: string;
    readonly tracking_info: { readonly shipping_carrier: keyof typeof formats; readonly tracking_number: string };
  }

  /** Ships each of so many lines in its own package. */
  async function shipEach(world: OperatorStage, count: number, country = 'USA'): Promise<Shipped[]> {
    const id = await world.inProduction({ ...linesOf(count), ...addressIn(country) });
    const shipped: Shipped[] = [];
    for (const line of await lineIds(world, id)) {
      const { status, body } = await world.ship(id, { order_lines: [line] });
      expect(status).toBe(201);
      shipped.push(body);
    }
    return shipped;
  }
  const repeatedIn = (shipped: readonly Shipped[]) =>
    Object.entries({
      id: shipped.map(({ id }) => id),
      order: shipped.map((one) => one.shipment_order_id),
      orderNumber: shipped.map((one) => one.shipment_order_number),
      tracking: shipped.flatMap(({ tracking_info }) => tracking_info?.tracking_number ?? []),
    }).flatMap(([kind, all]) => all.filter((one, index) => all.indexOf(one) !== index).map((one) => [kind, one]));

  test('of 90 shipments and those of the fixtures differ, with correct check digits; other sandboxes count on', async () => {
    const world = await operatorStage();
    const shipped: Shipped[] = [];
    for (const country of ['United States', 'Germany', 'USA']) shipped.push(...(await shipEach(world, 30, country)));
    const wrong = shipped.filter(
      ({ tracking_info: { shipping_carrier, tracking_number } }) =>
        !isTrackingNumber(formats[shipping_carrier], tracking_number),
    );
    expect(wrong).toEqual([]);
    const all = (await world.stage.records.fulfillments.list()).fulfillments as unknown as Shipped[];
    expect(all.length).toBeGreaterThan(90);
    expect(repeatedIn(all)).toEqual([]);
    const { data } = await world.stage.state.get();
    const later = await shipEach(await operatorStage({ fixtures: data }), 3);
    expect(repeatedIn([...all, ...later])).toEqual([]);
  });
});

describe('an order On Hold of which a line is shipped, which order_transitions=any allows (ORD-22)', () => {
  const anyTransition = { assumptions: { order_transitions: 'any', order_fields: 'echo' } } as const;
  const shipping_address = { address1: '2 Side Street', city: 'Bern', country_name: 'Switzerland' };
  const order_lines = [{ ...orderLine(), duration: 60 }];

  async function heldAndShipped() {
    const world = await operatorStage(anyTransition);
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
      const { status, body, headers } = await modify(change);
      expect([status, body.message, body.details, headers.get('sandbox-rule')], JSON.stringify(change)).toEqual([
        422,
        'Order cannot be modified',
        undefined,
        'ORD-22',
      ]);
    }
    expect((await modify({ order_lines: [] })).headers.get('sandbox-rule')).toBe('ORD-4');
    expect((await world.sachet.sandbox()).version === version).toBe(true);
  });

  test('takes another address, to which the rest is shipped, and its own consumer again', async () => {
    const { world, id, lines, shipped, modify } = await heldAndShipped();
    const { status, body } = await modify({ consumer: { id: consumerId(1).toUpperCase() }, shipping_address });
    expect([status, body.order.shipping_address, body.order.consumer.id]).toEqual([
      200,
      shipping_address,
      consumerId(1),
    ]);
    expect(await lineIds(world, id)).toEqual(lines);
    const rest = (await world.ship(id)).body;
    expect(rest.order_lines.map((line: { id: string }) => line.id)).toEqual(lines.slice(1));
    expect(['DHL Express', 'USPS International']).toContain(rest.tracking_info.shipping_carrier);
    expect((await seen(world, shipped)).order_id).toBe(id);
  });
});
