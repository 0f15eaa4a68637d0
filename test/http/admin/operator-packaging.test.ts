// Packaging that the operator approves: one order by the action, or all that wait for a PAG by making it Active.
import { describe, expect, test } from 'vitest';
import { afterNoon, hour, type Operated, operated, orderIn } from '../../support/operator.ts';
import { lineOf, orderId, pouchOf, someOrder } from '../../support/order-requests.ts';
import { noon } from '../../support/sachet.ts';

const pagId = (n: number): string => `30000000-0000-4000-8000-00000000000${n}`;
/** Of demo's brand: the default one and that of 30 days, both Active, and that of 90 days, In Review. */
const [defaultPag, pag30, pag90] = [pagId(1), pagId(2), pagId(3)];
/** Of another brand, Inactive, its default. */
const foreignPag = pagId(6);
/** An order of 90 days of demo's, and one of 30 days of the other brand; both Needs Changes in the fixtures. */
const [ours, theirs] = [orderIn['Needs Changes'], orderId(9)];
const brand = '11000000-0000-4000-8000-000000000001';
const foreignBrand = '11000000-0000-4000-8000-000000000005';

const of = (...durations: readonly (number | undefined)[]) => ({
  order_lines: durations.map((duration) => {
    const { pouches } = lineOf(pouchOf());
    return duration === undefined ? { pouches } : { duration, pouches };
  }),
});

/** A new order of lines of these durations, which needs changes. */
async function waiting({ client }: Operated, ...durations: readonly (number | undefined)[]): Promise<string> {
  const { order } = (await client.post('/v2/orders', someOrder(of(...durations)))).body;
  expect(order.status).toBe('Needs Changes');
  return order.id;
}

const activate = ({ stage }: Operated, id: string) => stage.records.pags.update(id, { status: 'Active' });
const addPag = ({ stage }: Operated, changes: object) =>
  stage.records.pags.create({ brand_id: brand, name: 'Box', status: 'Active', duration: null, ...changes });
const statusesOf = ({ order }: Operated, ...ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await order(id)).status));
const ordersOf = async ({ stage }: Operated) => (await stage.records.orders.list()).orders;

describe('the action approve_packaging', () => {
  test('makes an order Pending whose PAG is not Active, and this order alone', async () => {
    const world = await operated();
    const other = await waiting(world, 90);
    expect((await world.act(ours, 'approve_packaging')).body.status).toBe('Pending');
    expect(await statusesOf(world, ours, other, theirs)).toEqual(['Pending', 'Needs Changes', 'Needs Changes']);
    expect((await world.stage.records.pags.get(pag90)).status).toBe('In Review');
  });

  test('is the way on for an order that a switch held up', async () => {
    const world = await operated();
    await world.stage.switches.set({ inactive_pags: { all: true } });
    const id = await waiting(world, 30);
    expect((await world.act(id, 'approve_packaging')).status).toBe(200);
    expect((await world.act(id, 'accept')).status).toBe(200);
  });
});

describe('a PAG that becomes Active', () => {
  test('makes the orders Pending that waited for it, and changes no other', async () => {
    const world = await operated();
    const more = [await waiting(world, 90), await waiting(world, 90, 30), await waiting(world, 90, 90, undefined)];
    const before = await ordersOf(world);
    await world.setTo(hour);
    await activate(world, pag90);
    const moved = { status: 'Pending', updated_at: afterNoon(hour) };
    expect(await ordersOf(world)).toEqual(
      before.map((order) => ([ours, ...more].includes(order.id) ? { ...order, ...moved } : order)),
    );
  });

  test('is seen by the partner at once, who may modify the order then', async () => {
    const world = await operated();
    await activate(world, pag90);
    expect((await world.client.get(`/v2/orders/${ours}`)).body.order.status).toBe('Pending');
    expect((await world.client.patch(`/v2/orders/${ours}`, of(90))).body.order.status).toBe('Pending');
  });

  test('of another brand moves orders of that brand alone', async () => {
    const world = await operated();
    await activate(world, foreignPag);
    expect(await statusesOf(world, ours, theirs)).toEqual(['Needs Changes', 'Pending']);
  });

  test('leaves an order that waits for a second PAG until that is Active, too, in either order', async () => {
    for (const order of [0, 1]) {
      const world = await operated();
      const { id: pag60 } = await addPag(world, { status: 'Inactive', duration: 60 });
      const id = await waiting(world, 90, 60);
      const [first = '', second = ''] = order === 0 ? [pag90, pag60] : [pag60, pag90];
      await activate(world, first);
      expect(await statusesOf(world, id)).toEqual(['Needs Changes']);
      await activate(world, second);
      expect(await statusesOf(world, id)).toEqual(['Pending']);
    }
  });

  test('moves no order that was canceled, and none that waits for nothing', async () => {
    const world = await operated();
    const id = await waiting(world, 90);
    await world.client.post(`/v2/orders/${id}/cancel`);
    await activate(world, pag90);
    expect(await statusesOf(world, id, orderIn['On Hold'], orderIn.Accepted)).toEqual([
      'Canceled',
      'On Hold',
      'Accepted',
    ]);
  });

  test.each(['Inactive', 'In Review'])('is none that becomes %j', async (status) => {
    const world = await operated();
    const before = await ordersOf(world);
    await world.stage.records.pags.update(pag90, { status });
    expect(await ordersOf(world)).toEqual(before);
  });

  test('is none that was Active before: another name moves nothing', async () => {
    const world = await operated();
    await world.stage.switches.set({ inactive_pags: { ids: [pag30] } });
    const id = await waiting(world, 30);
    await world.stage.switches.clear();
    const before = await ordersOf(world);
    await world.stage.records.pags.update(pag30, { name: 'Another Box' });
    await activate(world, pag30);
    expect(await ordersOf(world)).toEqual(before);
    expect(await statusesOf(world, id)).toEqual(['Needs Changes']);
  });

  test('may have been Active once: orders that came in between go on when it is again', async () => {
    const world = await operated();
    await world.stage.records.pags.update(pag30, { status: 'Inactive' });
    const id = await waiting(world, 30);
    const before = (await world.order(orderIn.Pending)).status;
    await activate(world, pag30);
    expect([before, ...(await statusesOf(world, id))]).toEqual(['Pending', 'Pending']);
  });

  test('that is refused moves nothing', async () => {
    const world = await operated();
    const path = `/sandboxes/stage/pags/${pag90}`;
    const [status] = await world.refused(() => world.admin('PATCH', path, { status: 'Active', duration: -1 }));
    expect([status, ...(await statusesOf(world, ours))]).toEqual([422, 'Needs Changes']);
  });
});

describe('the switch inactive_pags', () => {
  test('turned off moves no order that it held up; nor does another PAG that becomes Active', async () => {
    const world = await operated();
    await world.stage.switches.set({ inactive_pags: { all: true } });
    const [id, whole] = [await waiting(world, 30), await waiting(world, undefined)];
    await world.stage.switches.set({ inactive_pags: null });
    expect(await statusesOf(world, id, whole, ours)).toEqual(Array(3).fill('Needs Changes'));
    await activate(world, pag90);
    expect(await statusesOf(world, id, whole, ours)).toEqual(['Needs Changes', 'Needs Changes', 'Pending']);
  });

  test('keeps an order that waits for a PAG only, and goes on with that', async () => {
    const world = await operated();
    await world.stage.switches.set({ inactive_pags: { all: true } });
    const id = await waiting(world, 30, 90);
    await world.stage.switches.set({ inactive_pags: null });
    await activate(world, pag90);
    expect(await statusesOf(world, id)).toEqual(['Pending']);
  });
});

describe('a new PAG', () => {
  test('that is Active for a duration lets the orders of that duration go on, and no others', async () => {
    const world = await operated();
    await world.stage.records.pags.update(defaultPag, { status: 'Inactive' });
    const [of45, of60, of45and60] = [await waiting(world, 45), await waiting(world, 60), await waiting(world, 45, 60)];
    await addPag(world, { duration: 45 });
    expect(await statusesOf(world, of45, of60, of45and60)).toEqual(['Pending', 'Needs Changes', 'Needs Changes']);
    await addPag(world, { duration: 60 });
    expect(await statusesOf(world, of45, of60, of45and60)).toEqual(['Pending', 'Pending', 'Pending']);
  });

  test('that is not Active moves nothing until it is', async () => {
    const world = await operated();
    const { id } = await addPag(world, { brand_id: foreignBrand, duration: 30, status: 'In Review' });
    expect(await statusesOf(world, theirs)).toEqual(['Needs Changes']);
    await activate(world, id);
    expect(await statusesOf(world, theirs)).toEqual(['Pending']);
  });

  test('for a duration that has one already is not the one that lines find, and moves nothing', async () => {
    const world = await operated();
    await addPag(world, { duration: 90 });
    expect(await statusesOf(world, ours)).toEqual(['Needs Changes']);
  });
});

describe('pag_lookup: brand', () => {
  const byBrand = { assumptions: { pag_lookup: 'brand' } } as const;

  test('the PAG of the duration is none that an order waits for', async () => {
    const world = await operated(byBrand);
    await activate(world, pag90);
    expect(await statusesOf(world, ours)).toEqual(['Needs Changes']);
  });

  test('the brand’s default lets orders of every duration go on', async () => {
    const world = await operated(byBrand);
    await world.stage.records.pags.update(defaultPag, { status: 'Inactive' });
    const ids = [await waiting(world, 30), await waiting(world, undefined, 60), ours];
    await activate(world, defaultPag);
    expect(await statusesOf(world, ...ids)).toEqual(ids.map(() => 'Pending'));
  });

  test('under brand_duration the default is for lines alone that find no other', async () => {
    const world = await operated();
    await world.stage.records.pags.update(defaultPag, { status: 'Inactive' });
    const ids = [await waiting(world, undefined), await waiting(world, 60, 30), ours, await waiting(world, 60, 90)];
    await activate(world, defaultPag);
    expect(await statusesOf(world, ...ids)).toEqual(['Pending', 'Pending', 'Needs Changes', 'Needs Changes']);
  });
});

test.each(['documented_path', 'any'] as const)(
  'a PAG lets orders go on that need changes, and takes none back that went on already (order_transitions: %s)',
  async (order_transitions) => {
    const world = await operated({ assumptions: { order_transitions } });
    const [id, accepted] = [await waiting(world, 90), await waiting(world, 90)];
    for (const action of ['approve_packaging', 'accept']) expect((await world.act(accepted, action)).status).toBe(200);
    await world.setTo(-24 * hour);
    await activate(world, pag90);
    expect(await world.order(id)).toMatchObject({ status: 'Pending', created_at: noon, updated_at: noon });
    expect(await statusesOf(world, accepted)).toEqual(['Accepted']);
  },
);
