// Whatever the service itself makes is exported and imported again: in each scenario, and after actions of the operator in any order.
// test/http/assumptions.test.ts does the same under each choice of each assumption.
import { expect, test } from 'vitest';
import { expectImportable } from '../../support/importable.ts';
import { lineIds, linesOf, operated, packageActions } from '../../support/operator.ts';
import { consumerId, orderOf, pouchOf, someOrder } from '../../support/order-requests.ts';
import { scenarios, testSachet } from '../../support/sachet.ts';

test.each(scenarios.map(({ name }) => name))('in the scenario %s', async (name) => {
  const sachet = testSachet();
  const stage = sachet.control.sandbox('stage');
  await stage.scenarios.apply(name);
  const login = { username: 'demo', password: 'sachet-demo' };
  const { body } = await sachet.call('POST', '/v2/authentication/token', { body: login });
  const headers = { authorization: `Bearer ${body?.access_token}` };
  const consumer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone_number: '+15555550100' };
  for (const order of [someOrder({ consumer }), orderOf(pouchOf(), { pack_id: 7 })])
    await sachet.call('POST', '/v2/orders', { body: order, headers }).catch(() => undefined);
  await expectImportable(sachet);
});

test.each(packageActions)('with packages after forced actions, %s first', async (first) => {
  const world = await operated();
  for (const second of packageActions) {
    const id = await world.packageIn('label_created');
    for (const [index, action] of [first, second, ...packageActions].entries()) {
      await world.setTo(index * 1000);
      await world.move(id, action, { force: true });
    }
  }
  await expectImportable(world.sachet);
});

test('with an order that is modified while a part of it is shipped', async () => {
  const world = await operated({ assumptions: { order_transitions: 'any' } });
  const id = await world.inProduction(linesOf(2));
  await world.ship(id, { order_lines: (await lineIds(world, id)).slice(0, 1) });
  await world.act(id, 'hold');
  const changes = [{ consumer: { id: consumerId(2) } }, { consumer: { first_name: 'Ada', last_name: 'Lovelace' } }];
  for (const change of changes) expect((await world.client.patch(`/v2/orders/${id}`, change)).status).toBe(422);
  await expectImportable(world.sachet);
});
