// Bodies of the operator's actions: nothing, an object of known fields, and whatever is neither is refused.
import { describe, expect, test } from 'vitest';
import { operated, orderIn } from '../../support/operator.ts';
import type { CallInit } from '../../support/sachet.ts';

const json = { 'content-type': 'application/json' };

describe('the body of a package’s action', () => {
  test.each<[string, unknown, string]>([
    ['force that is a text', { force: 'yes' }, 'force'],
    ['force that is a number', { force: 1 }, 'force'],
    ['force that is null', { force: null }, 'force'],
    ['a field that there is not', { forced: true }, 'forced'],
    ['a list', [], ''],
    ['a text', 'force', ''],
    ['null', null, ''],
    ['true', true, ''],
  ])('%s is refused with 422', async (_, body, field) => {
    const world = await operated();
    const id = await world.packageIn('picked_up');
    const path = `/sandboxes/stage/fulfillments/${id}/deliver`;
    const before = await world.package(id);
    const answer = await world.admin('POST', path, undefined, { raw: JSON.stringify(body), headers: json });
    expect([answer.status, answer.body.details?.length]).toEqual([422, 1]);
    const said = answer.body.details[0];
    expect(`${said.field} ${said.message}`).toContain(field);
    expect(await world.package(id)).toEqual(before);
  });

  test.each<[string, CallInit, number]>([
    ['what is no JSON', { raw: '{"force": tru', headers: json }, 400],
    ['two values', { raw: '{}{}', headers: json }, 400],
    ['a form', { raw: 'force=true', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
    ['JSON that is not said to be', { raw: '{"force":true}', headers: { 'content-type': 'text/plain' } }, 415],
  ])('%s is refused', async (_, init, status) => {
    const world = await operated();
    const id = await world.packageIn('picked_up');
    expect((await world.refused(() => world.move(id, 'deliver', undefined, init)))[0]).toBe(status);
  });

  test.each<[string, CallInit]>([
    ['nothing', {}],
    ['nothing, said to be JSON', { headers: json }],
    ['an empty text', { raw: '', headers: json }],
    ['an empty object', { raw: '{}', headers: json }],
    ['no force', { raw: '{"force":false}', headers: json }],
  ])('%s asks for what is allowed alone', async (_, init) => {
    const world = await operated();
    const id = await world.packageIn('picked_up');
    expect((await world.move(id, 'deliver', undefined, init)).status).toBe(200);
    expect((await world.refused(() => world.move(id, 'deliver', undefined, init)))[0]).toBe(422);
  });
});

describe('the body of a shipment', () => {
  const order = orderIn['In Production'];

  test.each<[string, unknown, string]>([
    ['a weight below nothing', { weight: -1 }, 'weight'],
    ['a weight in words', { weight: '300' }, 'weight'],
    ['a weight that is null', { weight: null }, 'weight'],
    ['a charge below nothing', { shipping_net_charge: -0.01 }, 'shipping_net_charge'],
    ['a carrier that is a number', { carrier: 5 }, 'carrier'],
    ['a carrier that is an object', { carrier: { id: 'ups' } }, 'carrier'],
    ['a method that is null', { carrier: 'ups', method: null }, 'method'],
    ['a field that there is not', { lines: [] }, 'lines'],
    ['a field of the fulfillment', { status_id: 'delivered' }, 'status_id'],
    ['a list', [], ''],
    ['null', null, ''],
  ])('%s is refused with 422', async (_, body, field) => {
    const world = await operated();
    const before = (await world.sachet.sandbox()).version;
    const answer = await world.ship(order, undefined, { raw: JSON.stringify(body), headers: json });
    const [said = { field: '', message: '' }] = answer.body.details;
    expect([answer.status, (await world.sachet.sandbox()).version]).toEqual([422, before]);
    expect(`${said.field} ${said.message}`).toContain(field);
  });

  test('a weight beyond all numbers is refused', async () => {
    const world = await operated();
    const init = { raw: '{"weight":1e999}', headers: json };
    expect((await world.refused(() => world.ship(order, undefined, init)))[0]).toBe(422);
  });

  test('what is no JSON is refused with 400, and ships nothing', async () => {
    const world = await operated();
    const init = { raw: '{"weight":', headers: json };
    expect((await world.refused(() => world.ship(order, undefined, init)))[0]).toBe(400);
    expect((await world.ship(order)).status).toBe(201);
  });

  test('every fault is told', async () => {
    const world = await operated();
    const { body } = await world.ship(order, { weight: -1, carrier: 5, order_lines: [] });
    expect(body.details.map(({ field }: { field: string }) => field).sort()).toEqual([
      'carrier',
      'order_lines',
      'weight',
    ]);
  });
});

test('an order’s action takes no body, and none hinders it', async () => {
  const { act } = await operated();
  expect((await act(orderIn.Pending, 'hold', { body: {} })).status).toBe(200);
  expect((await act(orderIn.Pending, 'release', { headers: json })).status).toBe(200);
});
