// What the partner sees of a package: the documented fields, and lines named by what their pouches hold (FUL-1).
import { describe, expect, test } from 'vitest';
import { linesOf, type Operated, operated, orderIn, seen } from '../support/operator.ts';
import { lineOf, pouchOf, productId } from '../support/order-requests.ts';

const fields = `id order_id consumer_id status_id delivery_date pickup_date tracking_info shipment_order_id
  shipment_order_number label_url shipping_net_charge weight created_at updated_at order_lines`.split(/\s+/);

test('a package has the 15 documented fields, alone and in both lists (FUL-1, FUL-2)', async () => {
  const world = await operated();
  const id = await world.inProduction(linesOf(2));
  const { body } = await world.ship(id);
  const single = await seen(world, body.id);
  expect([fields.length, Object.keys(single).sort()]).toEqual([15, fields.toSorted()]);
  expect(Object.keys(single.tracking_info).sort()).toEqual(
    ['shipping_carrier', 'shipping_method', 'tracking_number', 'tracking_url'].sort(),
  );
  const { label_url, ...rest } = single;
  for (const path of [`/v2/orders/${id}/fulfillments`, `/v2/fulfillments?order_id=${id}`, '/v2/fulfillments?limit=1']) {
    const { fulfillments } = (await world.client.get(path)).body;
    expect(fulfillments).toEqual([{ ...rest, label_url: expect.stringContaining(body.id) }]);
  }
  expect((await world.sachet.call('GET', label_url)).status).toBe(200);
  expect(body).not.toHaveProperty('label_url');
});

test('a package’s status is told by its UUID under status_id: uuid', async () => {
  const world = await operated({ assumptions: { status_id: 'uuid' } });
  const id = await world.packageIn('label_created');
  expect((await seen(world, id)).status_id).toBe('61000000-0000-4000-8000-000000000001');
  await world.move(id, 'pick_up');
  expect((await seen(world, id)).status_id).toBe('61000000-0000-4000-8000-000000000002');
});

test('dates that are not there yet are left out under absent_values: omitted', async () => {
  const world = await operated({ assumptions: { absent_values: 'omitted' } });
  const id = await world.packageIn('picked_up');
  const shown = Object.keys(await seen(world, id)).sort();
  expect(shown).toEqual(fields.filter((field) => field !== 'delivery_date').toSorted());
});

/** The name of a line of these pouches, as the partner sees it once it is shipped. */
async function nameOf(world: Operated, ...pouches: readonly object[]): Promise<string> {
  const id = await world.inProduction({ order_lines: [{ duration: 30, pouches }] });
  return (await seen(world, (await world.ship(id)).body.id)).order_lines[0].name;
}

describe('a line is named (FUL-1)', () => {
  const [vitamin, magnesium, omega] = [1, 2, 3].map(productId);
  test.each<[string, readonly object[], string]>([
    ['by its one product', [pouchOf(vitamin)], 'Sunrise Vitamin D3'],
    [
      'by all of a pouch',
      [{ contents: [{ client_product_id: magnesium }, { client_product_id: vitamin }] }],
      'Calm Magnesium + Sunrise Vitamin D3',
    ],
    ['by all of its pouches', [pouchOf(omega), pouchOf(vitamin)], 'Clear Omega-3 + Sunrise Vitamin D3'],
    ['by each once', [pouchOf(vitamin), pouchOf(omega), pouchOf(vitamin)], 'Sunrise Vitamin D3 + Clear Omega-3'],
    ['by the name of its pack', [{ pack_id: 'PACK-MORNING-01' }], 'Morning Essentials'],
    [
      'by a pack and products',
      [{ pack_id: 'PACK-EVENING-01' }, pouchOf(vitamin)],
      'Evening Wind-Down + Sunrise Vitamin D3',
    ],
    ['by the id of a pack that has no name', [{ pack_id: 'PACK-77' }], 'PACK-77'],
    ['by the number of one', [{ pack_id: 77 }], '77'],
  ])('%s', async (_, pouches, name) => {
    expect(await nameOf(await operated(), ...pouches)).toBe(name);
  });

  test('also where it has no pouches', async () => {
    const world = await operated({ assumptions: { empty_arrays: 'accept' } });
    expect(await nameOf(world)).toMatch(/\S/);
  });

  test('as it was called when it was shipped', async () => {
    const world = await operated();
    const { id } = (await world.ship(orderIn['In Production'])).body;
    const before = (await seen(world, id)).order_lines;
    const { products } = await world.stage.records.products.list();
    for (const product of products) await world.stage.records.products.update(product.id, { product_name: 'Other' });
    expect((await seen(world, id)).order_lines).toEqual(before);
  });

  test('each by its own pouches, in the lines’ order', async () => {
    const world = await operated();
    const id = await world.inProduction({
      order_lines: [lineOf(pouchOf(omega)), lineOf({ pack_id: 'PACK-MORNING-01' }), lineOf(pouchOf(vitamin))],
    });
    const { order_lines } = await seen(world, (await world.ship(id)).body.id);
    expect(order_lines.map(({ name }: { name: string }) => name)).toEqual([
      'Clear Omega-3',
      'Morning Essentials',
      'Sunrise Vitamin D3',
    ]);
  });

  test('not by the pack of another brand', async () => {
    const world = await operated();
    expect(await nameOf(world, { pack_id: 'PACK-FOCUS-01' })).not.toContain('Focus Starter');
  });
});
