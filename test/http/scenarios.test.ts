// Each shipped scenario does what its intent says to a client that does what its right client does, and what it expects is then so.
import { describe, expect, test } from 'vitest';
import { bent } from '../support/bent.ts';
import { controlled } from '../support/control.ts';
import { correctClients } from '../support/correct-clients.ts';
import { scenarios } from '../support/sachet.ts';
import { isReplicated } from '../support/test-engine.ts';

const path = '/sandboxes/stage/scenarios';

test('each has a right client here', () => {
  expect(Object.keys(correctClients)).toEqual(scenarios.map(({ name }) => name));
});

describe.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', (name, { expect: told = [] }) => {
  // How long calls wait is seen at one server alone.
  test.skipIf(isReplicated && name === 'slow-service')(
    'is met by its right client, and all that it expects is so',
    async () => {
      const world = await bent();
      const act = await correctClients[name]?.(world);
      await world.stage.requests.clear();
      await world.stage.scenarios.apply(name);
      await act?.();
      for (const { match, count } of told)
        expect(await world.stage.requests.verify({ match, count }), JSON.stringify(match)).toMatchObject({
          satisfied: true,
        });
    },
  );

  test('is shown as applied by the clock of the sandbox, and with its words', async () => {
    const { admin, sachet } = controlled();
    await sachet.control.sandbox('stage').clock.advance({ seconds: 90 });
    const { status, body } = await admin('POST', `${path}/${name}`);
    expect([status, body.name, body.applied_at]).toEqual([200, name, '2026-11-20T12:01:30.000Z']);
    const { scenarios: shown } = (await admin('GET', path)).body;
    expect(shown.find((one: { name: string }) => one.name === name)).toEqual(body);
    expect(shown.filter(({ applied_at }: { applied_at: unknown }) => applied_at !== null)).toHaveLength(1);
  });

  test('touches no other sandbox', async () => {
    const { stage, sachet } = await bent();
    await sachet.login('demo+w7');
    const others = [sachet.control.sandbox('w7'), sachet.control.sandbox('production')];
    const states = () => Promise.all(others.map((other) => other.state.get()));
    const before = await states();
    await stage.scenarios.apply(name);
    expect(await states()).toEqual(before);
  });
});

test('a mistyped scenario is 404 with the nearest name', async () => {
  const { body } = await controlled().admin('POST', `${path}/no-pags`);
  expect(body.message).toMatch(/^There is no scenario "no-pags"; available: .*\. Did you mean "no-pag"\?$/);
});

test('a scenario that is none is 404, and those that are there are named', async () => {
  const { admin } = controlled();
  for (const [method, words] of [
    ['POST', 'There is no scenario "nothing"; available: discontinued-product, '],
    ['DELETE', 'There is no applied scenario "nothing"'],
  ] as const) {
    const { status, body } = await admin(method, `${path}/nothing`);
    expect([status, body.message]).toEqual([404, expect.stringContaining(words)]);
  }
});

test('one that is not applied cannot be taken back: 404, and those that are applied are named', async () => {
  const { admin } = controlled();
  await admin('POST', `${path}/no-pag`);
  const { status, body } = await admin('DELETE', `${path}/maintenance`);
  expect([status, body.message]).toEqual([404, 'There is no applied scenario "maintenance"; available: no-pag']);
});
