// Operator actions on orders: what is possible is done and shown at once, what is not is refused with what is.
import { describe, expect, test } from 'vitest';
import {
  afterNoon,
  hour,
  type OrderAction,
  operated,
  orderActions,
  orderIn,
  type Status,
  statuses,
} from '../../support/operator.ts';
import { orderId, unknownId } from '../../support/order-requests.ts';

type Table = Readonly<Record<Status, Readonly<Partial<Record<OrderAction, Status>>>>>;

const documented: Table = {
  Pending: { accept: 'Accepted', hold: 'On Hold', cancel: 'Canceled' },
  'On Hold': { release: 'Pending', cancel: 'Canceled' },
  'Needs Changes': { cancel: 'Canceled', approve_packaging: 'Pending' },
  Accepted: { start_production: 'In Production', cancel: 'Canceled' },
  'In Production': { cancel: 'Canceled' },
  Canceled: {},
};
const [accept, hold, release, approve_packaging] = ['Accepted', 'On Hold', 'Pending', 'Pending'] as const;
const [start_production, cancel] = ['In Production', 'Canceled'] as const;
const any: Table = {
  Pending: { accept, hold, start_production, cancel },
  'On Hold': { accept, release, start_production, cancel, approve_packaging },
  'Needs Changes': { accept, hold, release, start_production, cancel, approve_packaging },
  Accepted: { hold, release, start_production, cancel, approve_packaging },
  'In Production': { accept, hold, release, cancel, approve_packaging },
  Canceled: { accept, hold, release, start_production, approve_packaging },
};
const tables = { documented_path: documented, any } as const;
/** As they are told: the next on the way first. */
const inOrder = ['accept', 'hold', 'release', 'approve_packaging', 'start_production', 'cancel'] as const;
const shippable = { documented_path: ['In Production'], any: statuses } as const;

describe.each(['documented_path', 'any'] as const)('order_transitions: %s', (choice) => {
  const possible = (status: Status) => [
    ...(shippable[choice].some((one) => one === status) ? ['ship (POST …/fulfillments)'] : []),
    ...inOrder.filter((action) => tables[choice][status][action]),
  ];
  /** Only of an action that the other choice would allow. */
  const moreOf = (status: Status, action: (typeof inOrder)[number]) =>
    tables.any[status][action] ? ' (the choice order_transitions=any allows it)' : '';

  describe.each(statuses)('an order that is %s', (status) => {
    test.each(orderActions)('%s', async (action) => {
      const world = await operated({ assumptions: { order_transitions: choice } });
      const id = orderIn[status];
      const to = tables[choice][status][action];
      const before = await world.order(id);
      await world.setTo(hour);
      if (to) {
        const { status: code, body } = await world.act(id, action);
        expect([code, body]).toEqual([200, { ...before, status: to, updated_at: afterNoon(hour) }]);
        expect(await world.order(id)).toEqual(body);
      } else {
        const [code, message] = await world.refused(() => world.act(id, action));
        const can = possible(status).join(', ');
        const rest = can ? `the operator can: ${can}` : 'the operator can do nothing more';
        expect([code, message]).toEqual([
          422,
          `${action} is impossible: the order is ${status}; ${rest}${moreOf(status, action)}`,
        ]);
      }
    });
  });
});

describe('an operator action', () => {
  test('is a method of the client, and gives the order as it is then', async () => {
    const { stage, order } = await operated();
    const id = orderIn.Pending;
    for (const [action, status] of [
      ['hold', 'On Hold'],
      ['release', 'Pending'],
      ['accept', 'Accepted'],
      ['start_production', 'In Production'],
      ['cancel', 'Canceled'],
    ] as const) {
      const answered = await stage.orders[action](id);
      expect([answered.status, answered]).toEqual([status, await order(id)]);
    }
    await expect(stage.orders.release(id)).rejects.toMatchObject({ name: 'ControlError', status: 422 });
  });

  test('that is refused leaves the whole state as it was, and is refused again', async () => {
    const { stage, act } = await operated();
    const before = await stage.state.get();
    const first = await act(orderIn.Canceled, 'accept');
    expect(first.body.details).toEqual([{ field: 'status', message: first.body.message }]);
    expect((await act(orderIn.Canceled, 'accept')).body).toEqual(first.body);
    expect(await stage.state.get()).toEqual(before);
  });

  test('is of one order in one sandbox alone', async () => {
    const { stage, sachet, act } = await operated();
    const others = async () => (await stage.records.orders.list()).orders.filter(({ id }) => id !== orderIn.Pending);
    const [before, production] = [await others(), (await sachet.sandbox('production')).version];
    expect((await act(orderIn.Pending, 'accept')).status).toBe(200);
    expect(await others()).toEqual(before);
    expect((await sachet.sandbox('production')).version).toBe(production);
  });

  test('reaches the orders of every brand', async () => {
    const { act } = await operated();
    expect((await act(orderId(15), 'hold')).body).toMatchObject({ id: orderId(15), status: 'On Hold' });
  });

  test('finds an order by its id in upper case', async () => {
    const { stage, act } = await operated();
    const id = 'abcdefab-0000-4000-8000-00000000000a';
    await stage.records.orders.create({ ...(await stage.records.orders.get(orderIn.Pending)), id });
    expect((await act(id.toUpperCase(), 'accept')).body).toMatchObject({ id, status: 'Accepted' });
  });

  test.each([unknownId, 'nobody', '__proto__', '%20'])('on an order that is not there (%s) is 404', async (id) => {
    const world = await operated();
    for (const action of orderActions) {
      const [status, message] = await world.refused(() => world.act(id, action));
      expect([status, message]).toEqual([404, expect.stringContaining('There is no record in orders')]);
    }
  });

  test.each(['Accept', 'produce', 'ship', 'fulfil', 'toString'])('that does not exist (%s) is 404', async (action) => {
    const world = await operated();
    expect((await world.refused(() => world.act(orderIn.Pending, action)))[0]).toBe(404);
  });

  test('is a POST', async () => {
    const { admin, refused } = await operated();
    const path = `/sandboxes/stage/orders/${orderIn.Pending}/accept`;
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
      expect((await refused(() => admin(method, path)))[0]).toBe(405);
  });

  test('by ten at once is done once', async () => {
    const { act } = await operated();
    const answers = await Promise.all(Array.from({ length: 10 }, () => act(orderIn.Pending, 'accept')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(422)]);
  });

  test('needs the admin key', async () => {
    const { input, refused } = await operated();
    const path = `/_admin/sandboxes/stage/orders/${orderIn.Pending}/accept`;
    expect((await refused(() => input('POST', path)))[0]).toBe(401);
  });
});
