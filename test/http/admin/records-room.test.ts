// How many records a collection of a sandbox may have (product.md, --max-records).
import { describe, expect, test } from 'vitest';
import { newConsumer } from '../../cases/requests.ts';
import { controlled, everything, namesOf, told } from '../../support/control.ts';
import { someOrder } from '../../support/order-requests.ts';
import { fixtures } from '../../support/sachet.ts';

describe('the records of a collection', () => {
  const rule = 'sandbox-rule';
  const ordersBut = (room: number) => controlled({ maxRecords: fixtures.orders.length + room });

  test('are orders up to the bound, and then the 500 of the contract, of which nothing is stored', async () => {
    const { sachet, admin } = ordersBut(1);
    const client = await sachet.login();
    expect((await client.post('/v2/orders', someOrder())).status).toBe(201);
    const { version } = await sachet.sandbox();
    const refused = await client.post('/v2/orders', someOrder());
    expect([refused.status, refused.body.message, refused.headers.get(rule)]).toEqual([
      500,
      'An internal server error occurred',
      'max_records',
    ]);
    expect((await sachet.sandbox()).version).toBe(version);
    expect((await client.get('/v2/orders')).status).toBe(200);
    await admin('POST', '/sandboxes/stage/reset');
    expect((await client.post('/v2/orders', someOrder())).status).toBe(201);
  });

  test('are consumers up to the bound, too: no order is stored without its consumer', async () => {
    const few = { ...fixtures, orders: [], fulfillments: [] };
    const most = Math.max(...Object.values(few).map((rows) => (Array.isArray(rows) ? rows.length : 0)));
    const { sachet } = controlled({ fixtures: few, maxRecords: most });
    const client = await sachet.login();
    const made: number[] = [];
    for (let n = 0; n <= most - few.consumers.length; n += 1) {
      const consumer = { ...newConsumer, email: `ada-${n}@example.com` };
      made.push((await client.post('/v2/orders', someOrder({ consumer }))).status);
    }
    expect(made).toEqual([...Array<number>(most - few.consumers.length).fill(201), 500]);
    const { state } = await sachet.sandbox();
    expect([state.table('consumers').size, state.table('orders').size]).toEqual([most, made.length - 1]);
  });

  test('a scenario that would add more is refused, and not applied', async () => {
    const server = controlled({ maxRecords: fixtures.fulfillments.length + 1 });
    const before = await everything(server);
    const { status } = await server.admin('POST', '/sandboxes/stage/scenarios/paging-under-change');
    expect(status).toBe(422);
    expect((await everything(server)).versions).toEqual(before.versions);
    expect((await server.admin('POST', '/sandboxes', { scenario: 'paging-under-change' })).status).toBe(422);
    expect(await namesOf(server)).toEqual(['production', 'stage']);
  });

  test('switches and faults are no records of it', async () => {
    const least = Math.max(...Object.values(fixtures).map((rows) => (Array.isArray(rows) ? rows.length : 0)));
    const { admin } = controlled({ maxRecords: least });
    for (let n = 0; n <= least; n += 1)
      expect(told(await admin('POST', '/sandboxes/stage/faults', { status: 500 }))).toEqual([201, undefined]);
  });
});
