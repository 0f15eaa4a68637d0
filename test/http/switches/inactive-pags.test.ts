// inactive_pags: PAGs count as Inactive when an order is made or modified (ORD-25); no record changes, and no order that is there.
import { describe, expect, test } from 'vitest';
import { type Bent, bent } from '../../support/bent.ts';
import { lineOf, orderId } from '../../support/order-requests.ts';

const pagId = (n: number): string => `30000000-0000-4000-8000-00000000000${n}`;
/** Of demo's brand: the default one, that of 30 days, that of 90 days, which is In Review. */
const [defaultPag, pag30] = [pagId(1), pagId(2)];
const [pending, onHold, needsChanges] = [orderId(18), orderId(12), orderId(10)];

const lines = (...durations: (number | undefined)[]) => ({
  order_lines: durations.map((duration) => {
    const { pouches } = lineOf();
    return duration === undefined ? { pouches } : { duration, pouches };
  }),
});

/** The status of a new order of lines of these durations. */
const made = async ({ order }: Bent, ...durations: (number | undefined)[]): Promise<string> =>
  (await order(lines(...durations))).body.order.status;

const statusOf = async ({ client }: Bent, id: string): Promise<string> =>
  (await client.get(`/v2/orders/${id}`)).body.order.status;

const modified = ({ client }: Bent, id: string, change: object = lines(30)) => client.patch(`/v2/orders/${id}`, change);

describe('all', () => {
  test('accepts a new order with 201 and Needs Changes, of whatever duration', async () => {
    const world = await bent();
    await world.stage.switches.set({ inactive_pags: { all: true } });
    const answer = await world.order();
    expect([answer.status, answer.body.order.status]).toEqual([201, 'Needs Changes']);
    expect([await made(world, 60), await made(world, undefined)]).toEqual(['Needs Changes', 'Needs Changes']);
    expect(await statusOf(world, answer.body.order.id)).toBe('Needs Changes');
  });

  test('leaves every existing order and every PAG as it is', async () => {
    const world = await bent();
    const { stage } = world;
    const all = async () => [await stage.records.orders.list(), await stage.records.pags.list()];
    const before = await all();
    await stage.switches.set({ inactive_pags: { all: true } });
    expect(await all()).toEqual(before);
    expect([await statusOf(world, pending), await statusOf(world, onHold)]).toEqual(['Pending', 'On Hold']);
  });

  test.each([
    ['Pending', pending],
    ['On Hold', onHold],
  ])('judges an order that is %s anew when it is modified, also where its lines stay', async (_, id) => {
    const shipping_address = { address1: '2 Side Street', city: 'Bern', country_name: 'Switzerland' };
    const world = await bent();
    await world.stage.switches.set({ inactive_pags: { all: true } });
    const answer = await modified(world, id, { shipping_address });
    expect([answer.status, answer.body.order.status]).toEqual([200, 'Needs Changes']);
    expect((await modified(world, id)).body.message).toBe('Order cannot be modified');
  });

  test('does not move an order that is canceled under it, nor one that cannot be modified', async () => {
    const world = await bent();
    await world.stage.switches.set({ inactive_pags: { all: true } });
    expect((await modified(world, needsChanges)).status).toBe(422);
    const { body } = await world.client.post(`/v2/orders/${pending}/cancel`);
    expect(body.order.status).toBe('Canceled');
  });

  test('turned off lets new orders be Pending, and moves none that it held up', async () => {
    const world = await bent();
    await world.stage.switches.set({ inactive_pags: { all: true } });
    const { id } = (await world.order()).body.order;
    await world.stage.switches.set({ inactive_pags: null });
    expect([await made(world, 30), await statusOf(world, id)]).toEqual(['Pending', 'Needs Changes']);
    expect((await modified(world, pending)).body.order.status).toBe('Pending');
  });

  test('leaves refusals as they are: a brand without any PAG is still refused by ORD-21', async () => {
    const { sachet, stage } = await bent();
    const client = await sachet.login('no-pag');
    await stage.switches.set({ inactive_pags: { all: true } });
    const { pouches } = lineOf({ contents: [{ client_product_id: '20000000-0000-4000-8000-000000000013' }] });
    const order = {
      consumer: { first_name: 'Ada', last_name: 'Lovelace' },
      shipping_address: { address1: '1 Main Street', city: 'Bern', country_name: 'Switzerland' },
      order_lines: [{ duration: 30, pouches }],
    };
    expect((await client.post('/v2/orders', order)).headers.get('sandbox-rule')).toBe('ORD-21');
  });
});

describe('ids', () => {
  test.each([
    ['of 30 days', [pag30], ['Needs Changes', 'Pending', 'Pending', 'Needs Changes']],
    ['of any other duration', [defaultPag], ['Pending', 'Needs Changes', 'Needs Changes', 'Needs Changes']],
    ['of both', [defaultPag, pag30], ['Needs Changes', 'Needs Changes', 'Needs Changes', 'Needs Changes']],
    ["of another brand's", [pagId(4)], ['Pending', 'Pending', 'Pending', 'Needs Changes']],
  ])('%s name the PAGs that count as Inactive; the others are what they are', async (_, ids, expected) => {
    const world = await bent();
    await world.stage.switches.set({ inactive_pags: { ids } });
    const statuses = [];
    for (const duration of [30, 60, undefined, 90]) statuses.push(await made(world, duration));
    expect(statuses).toEqual(expected);
  });

  test('hold up an order where one of its lines has such a PAG', async () => {
    const world = await bent();
    await world.stage.switches.set({ inactive_pags: { ids: [pag30] } });
    expect([await made(world, 60, 60), await made(world, 60, 30)]).toEqual(['Pending', 'Needs Changes']);
  });

  test('hold up a modification by the lines it brings', async () => {
    const world = await bent();
    await world.stage.switches.set({ inactive_pags: { ids: [pag30] } });
    expect((await modified(world, pending, lines(60))).body.order.status).toBe('Pending');
    expect((await modified(world, pending, lines(30))).body.order.status).toBe('Needs Changes');
  });

  test('may be written in capitals', async () => {
    const world = await bent();
    const id = 'ABCDEF00-0000-4000-8000-00000000000A';
    await world.stage.records.pags.update(pag30, { duration: 31 });
    await world.stage.records.pags.create({
      id,
      brand_id: '11000000-0000-4000-8000-000000000001',
      name: 'Box',
      status: 'Active',
      duration: 30,
    });
    await world.stage.switches.set({ inactive_pags: { ids: [id] } });
    expect([await made(world, 30), await made(world, 60)]).toEqual(['Needs Changes', 'Pending']);
  });
});

test('a match means some orders only, here those to one city', async () => {
  const world = await bent();
  const match = { operation: 'orders.create', body: { shipping_address: { city: 'Bern' } } } as const;
  await world.stage.switches.set({ inactive_pags: { all: true, match } });
  const shipping_address = { address1: '1 Main Street', city: 'Bern', country_name: 'Switzerland' };
  expect((await world.order({ shipping_address })).body.order.status).toBe('Needs Changes');
  expect(await made(world, 30)).toBe('Pending');
  expect((await modified(world, pending, { shipping_address })).body.order.status).toBe('Pending');
});
