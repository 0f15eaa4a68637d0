// Sandboxes that start with scenarios: all sandboxes of a server, or a single one. A reset restores them.
import { describe, expect, test } from 'vitest';
import { controlled, machineAt } from '../support/control.ts';
import { someOrder } from '../support/order-requests.ts';
import { noon, type TestSachet, testSachet } from '../support/sachet.ts';
import { stateOf } from '../support/scenarios.ts';
import { broken, outcomeOf, testStage } from '../support/stage.ts';

const applied = async ({ control }: TestSachet, name = 'stage') =>
  (await control.sandbox(name).scenarios.list()).scenarios.flatMap((one) => (one.applied_at === null ? [] : one.name));

describe('the scenarios of a server', () => {
  test('are applied in every sandbox, as if by hand', async () => {
    const { sachet, stage } = await testStage({ scenario: ['rate-limit-burst', 'no-pag'] });
    await sachet.login('demo+w7');
    await sachet.control.create({ name: 'team' });
    for (const name of ['stage', 'production', 'w7', 'team'])
      expect(await applied(sachet, name), name).toEqual(['no-pag', 'rate-limit-burst']);
    const byHand = await testStage();
    const untouched = await stateOf(byHand.stage);
    for (const name of ['rate-limit-burst', 'no-pag']) await byHand.stage.scenarios.apply(name);
    expect(await stateOf(stage)).toEqual(await stateOf(byHand.stage));
    for (const name of ['no-pag', 'rate-limit-burst']) await stage.scenarios.take_back(name);
    expect(await stateOf(stage)).toEqual(untouched);
  });

  test('are restored by a reset: used up ones are whole, those taken back are applied, others are gone', async () => {
    const { sachet, stage, client, order } = await testStage({ scenario: ['lost-answer', 'no-pag'] });
    await stage.scenarios.take_back('no-pag');
    await stage.scenarios.apply('inactive-pag');
    expect([await outcomeOf(order()), await outcomeOf(order())]).toEqual([broken.whole, 201]);
    await stage.reset();
    expect(await applied(sachet)).toEqual(['lost-answer', 'no-pag']);
    await stage.scenarios.take_back('no-pag');
    expect(await outcomeOf(client.post('/v2/orders', someOrder()))).toBe(broken.whole);
    expect((await order()).body.order.status).toBe('Pending');
  });

  test.each([
    ['frozen', noon],
    ['running from an instant', `${noon}+`],
    ['real', undefined],
  ])('begin their windows anew with a reset, with a clock that is %s', async (_, clock) => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const sachet = testSachet({ scenario: ['maintenance'], clock } as { scenario: string[]; clock: string });
    const stage = sachet.control.sandbox('stage');
    const statusAfter = async (milliseconds: number) => {
      if (clock === noon) await stage.clock.advance({ seconds: milliseconds / 1000 });
      else move(milliseconds);
      return (await sachet.call('GET', '/v2/products')).status;
    };
    // The server may be up for a while before the first call.
    move(600_000);
    const seen = [await statusAfter(0), await statusAfter(300_000)];
    await stage.reset();
    const { scenarios } = await stage.scenarios.list();
    const [at = ''] = scenarios.flatMap(({ applied_at }) => applied_at ?? []);
    expect(Date.parse((await stage.clock.get()).now) - Date.parse(at)).toBeLessThan(60_000);
    seen.push(await statusAfter(0), await statusAfter(299_999), await statusAfter(1));
    expect(seen).toEqual([500, 401, 500, 500, 401]);
  });
});

test('the scenario of a single sandbox replaces those of the server, and is restored by a reset', async () => {
  const { sachet, admin } = controlled({ scenario: ['no-pag'] });
  await admin('POST', '/sandboxes', { name: 'team', scenario: 'server-errors' });
  expect(await applied(sachet, 'team')).toEqual(['server-errors']);
  const team = sachet.control.sandbox('team');
  const status = async () => (await sachet.call('GET', '/sandboxes/team/v2/products')).status;
  for (let resets = 0; resets < 2; resets += 1) {
    expect([await status(), await status(), await status()]).toEqual([500, 500, 401]);
    await team.scenarios.take_back('server-errors');
    await team.reset();
  }
  expect(await applied(sachet)).toEqual(['no-pag']);
});
