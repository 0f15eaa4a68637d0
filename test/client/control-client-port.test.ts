// The typed client of the control API over a real port does as in process.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ControlError, controlClient } from '../../src/client/control-client.ts';
import { testSachet } from '../support/sachet.ts';
import { type Wire, wire } from '../support/wire.ts';

const adminKey = 'the-key-of-the-wire';
let server: Wire;
beforeAll(async () => {
  server = await wire({ adminKey });
});
afterAll(() => server.close());

test.each(['', '/', '//'])('with "%s" behind the URL, it does as in process', async (end) => {
  const over = controlClient({ url: server.url + end, adminKey });
  const outcomes = [];
  for (const control of [over, testSachet().control]) {
    const { key, logins, environment } = await control.create({
      name: 'team',
      own_key: true,
      clock: '2030-01-01T00:00:00Z',
    });
    const team = control.sandbox('team');
    const clock = await team.clock.advance({ by: 'PT15M' });
    await team.snapshots.create({ name: 'kept' });
    const lists = [await team.snapshots.list(), await team.requests.list({ limit: 1 }), await team.faults.list()];
    const turned = (await team.switches.set({ rate_limit: { burst: 2 } })).rate_limit;
    const gone = [await team.switches.clear(), await team.delete()];
    const refused = await team.get().catch(({ status, body }: ControlError) => [status, body]);
    outcomes.push({ isKey: typeof key, logins, environment, clock, lists, turned, gone, refused });
  }
  expect(outcomes[0]).toEqual(outcomes[1]);
});

test('a wrong key is a ControlError of 401', async () => {
  const control = controlClient({ url: server.url, adminKey: 'wrong' });
  await expect(control.list()).rejects.toMatchObject({ name: 'ControlError', status: 401 });
});

test("a sandbox's own key controls that sandbox alone", async () => {
  const { key } = await controlClient({ url: server.url, adminKey }).create({ name: 'own', own_key: true });
  const control = controlClient({ url: server.url, adminKey: key ?? '' });
  expect((await control.sandbox('own').get()).name).toBe('own');
  await expect(control.list()).rejects.toMatchObject({ status: 401 });
  await expect(control.sandbox('stage').reset()).rejects.toMatchObject({ status: 401 });
  await control.sandbox('own').delete();
});
