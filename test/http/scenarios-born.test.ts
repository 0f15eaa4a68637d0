// Sandboxes that begin with a scenario: every one of a server, or a single one that is told so. A reset goes back to it.
import { describe, expect, test } from 'vitest';
import { bent, broken, outcomeOf } from '../support/bent.ts';
import { controlled, machineAt } from '../support/control.ts';
import { layered, stateOf } from '../support/layers.ts';
import { someOrder } from '../support/order-requests.ts';
import { noon, testSachet } from '../support/sachet.ts';

const applied = async ({ control }: ReturnType<typeof testSachet>, name = 'stage') =>
  (await control.sandbox(name).scenarios.list()).scenarios.flatMap((one) => (one.applied_at === null ? [] : one.name));

describe('every sandbox of a server', () => {
  test('begins with its scenarios: those that are there, those made by login and those made by hand', async () => {
    const sachet = testSachet({ scenario: ['inactive-pag', 'no-pag'] });
    await sachet.login('demo+w7');
    await sachet.control.create({ name: 'team' });
    for (const name of ['stage', 'production', 'w7', 'team'])
      expect(await applied(sachet, name)).toEqual(['inactive-pag', 'no-pag']);
    const client = await sachet.login('demo+w7');
    expect((await client.post('/v2/orders', someOrder())).headers.get('sandbox-rule')).toBe('ORD-21');
  });

  test('is as if they had been applied to it', async () => {
    const [born, told] = [await bent({ scenario: ['rate-limit-burst', 'no-pag'] }), await bent()];
    for (const name of ['rate-limit-burst', 'no-pag']) await told.stage.scenarios.apply(name);
    expect(await stateOf(born.stage)).toEqual(await stateOf(told.stage));
    for (const name of ['no-pag', 'rate-limit-burst']) await born.stage.scenarios.take_back(name);
    expect(await stateOf(born.stage)).toEqual(await stateOf((await bent()).stage));
  });

  test('goes back to them by a reset: used up ones are whole, those taken back are there, others are gone', async () => {
    const { sachet, stage, client, order } = await bent({ scenario: ['lost-answer', 'no-pag'] });
    await stage.scenarios.take_back('no-pag');
    await stage.scenarios.apply('inactive-pag');
    expect([await outcomeOf(order()), await outcomeOf(order())]).toEqual([broken.whole, 201]);
    await stage.reset();
    expect(await applied(sachet)).toEqual(['lost-answer', 'no-pag']);
    await stage.scenarios.take_back('no-pag');
    expect(await outcomeOf(client.post('/v2/orders', someOrder()))).toBe(broken.whole);
    expect((await order()).body.order.status).toBe('Pending');
  });

  test.each(['unheard-of', ''])('cannot begin with one that is none: %j', (name) => {
    expect(() => testSachet({ scenario: [name] })).toThrow(name || 'scenario');
  });
});

describe('one sandbox', () => {
  test('that is told a scenario begins with it in place of the others, and a reset goes back to it', async () => {
    const { sachet, admin } = controlled({ scenario: ['no-pag'] });
    await admin('POST', '/sandboxes', { name: 'team', scenario: 'server-errors' });
    expect(await applied(sachet, 'team')).toEqual(['server-errors']);
    const team = sachet.control.sandbox('team');
    const status = async () => (await sachet.call('GET', '/sandboxes/team/v2/products')).status;
    for (let life = 0; life < 2; life += 1) {
      expect([await status(), await status(), await status()]).toEqual([500, 500, 401]);
      await team.scenarios.take_back('server-errors');
      await team.reset();
    }
    expect(await applied(sachet)).toEqual(['no-pag']);
  });

  test('that is told one that is none is not made: 404, and those that are there are named', async () => {
    const { admin } = controlled();
    const { status, body } = await admin('POST', '/sandboxes', { name: 'team', scenario: 'unheard-of' });
    expect([status, body.message]).toEqual([404, expect.stringContaining('available: discontinued-product, ')]);
    expect((await admin('GET', '/sandboxes/team')).status).toBe(404);
  });
});

describe('a window that a sandbox is born with', () => {
  /** The statuses of a call at the end of five minutes, then right after a reset, and at the end of these five minutes. */
  async function lives(clock: string | undefined) {
    const move = machineAt('2026-11-20T08:00:00Z');
    const options = { scenario: ['maintenance'], clock } as { scenario: string[]; clock: string };
    const sachet = testSachet(options);
    const stage = sachet.control.sandbox('stage');
    const status = async () => (await sachet.call('GET', '/v2/products')).status;
    const pass = async (milliseconds: number) =>
      clock === noon ? void (await stage.clock.advance({ seconds: milliseconds / 1000 })) : move(milliseconds);
    // The server may be up for a while before somebody uses the sandbox.
    move(600_000);
    const seen = [await status()];
    await pass(300_000);
    seen.push(await status());
    await stage.reset();
    seen.push(await status());
    await pass(299_999);
    seen.push(await status());
    await pass(1);
    seen.push(await status());
    return seen;
  }

  test.each([
    ['that stands', noon],
    ['that runs on from an instant', `${noon}+`],
    ['of real time', undefined],
  ])('begins anew with a reset, as in a new sandbox, by a clock %s', async (_, clock) => {
    expect(await lives(clock)).toEqual([500, 401, 500, 500, 401]);
  });
});

test('a scenario that sets the clock of a sandbox it is born with sets it again by a reset', async () => {
  const { sachet, stage } = await layered({ later: { clock: { now: '2027-01-01T00:00:00Z' } } });
  await sachet.control.create({ name: 'team', scenario: 'later' });
  const team = sachet.control.sandbox('team');
  await team.clock.advance({ by: 'P1D' });
  await team.reset();
  expect((await team.clock.get()).now).toBe('2027-01-01T00:00:00.000Z');
  expect((await stage.clock.get()).now).toBe(noon);
});
