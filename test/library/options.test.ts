// What a Sachet is made with: one's own fixtures and scenarios beside the shipped ones, and options that there are none of.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../src/contract/fixtures.ts';
import type { Scenario } from '../../src/contract/scenarios.ts';
import { createSachet, type SachetOptions } from '../../src/create-sachet.ts';
import * as library from '../../src/index.ts';
import { loadFixtures } from '../../src/node/load-files.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { folder } from '../support/command.ts';
import { fixtures, scenarios } from '../support/sachet.ts';
import { served, starts, thrownBy } from './starts.ts';

const { FixturesError, ScenariosError, UnknownInstantError, UnknownChoiceError, UnknownScenarioError } = library;

/** A scenario of one's own: the next order is refused. */
const refusal = (name: string, status: 403 | 500 = 500): Scenario => ({
  name,
  intent: 'The next order is refused.',
  right_client: 'Tries again.',
  faults: [{ match: { operation: 'orders.create' }, status, times: 1 }],
});

describe.each(starts)('%s', (_, open) => {
  test('every sandbox is born from the collections that are given, and the shipped ones beside', async () => {
    const sachet = await open({ fixtures: { pags: [] } });
    for (const sandbox of [sachet.sandbox('stage'), await sachet.createSandbox()]) {
      expect((await sandbox.records.pags.list()).pags).toEqual([]);
      expect((await sandbox.records.users.list()).users).toHaveLength(fixtures.users.length);
    }
  });

  test('a user of one’s own logs in', async () => {
    const [demo] = fixtures.users;
    if (!demo) throw new Error('the fixtures have no user');
    const sachet = await open({ fixtures: { users: [{ ...demo, username: 'own', password: 'secret' }] } });
    const sandbox = await sachet.createSandbox();
    expect(sandbox.logins).toEqual([{ username: 'own', password: 'secret' }]);
    expect((await sandbox.client().post('/v2/orders', sampleOrder())).status).toBe(201);
  });

  test('scenarios of one’s own stand beside the shipped ones', async () => {
    const sachet = await open({ scenarios: [refusal('own')] });
    const sandbox = await sachet.createSandbox({ scenario: 'own' });
    const names = (await sandbox.scenarios.list()).scenarios.map(({ name }) => name);
    expect(names).toEqual([...scenarios.map(({ name }) => name), 'own'].sort());
    const client = sandbox.client();
    expect((await client.post('/v2/orders', sampleOrder())).status).toBe(500);
    expect((await client.post('/v2/orders', sampleOrder())).status).toBe(201);
  });

  test('one of the same name stands in place of the shipped one', async () => {
    const sachet = await open({ scenarios: [refusal('token-expiry', 403)] });
    const sandbox = await sachet.createSandbox({ scenario: 'token-expiry' });
    expect((await sandbox.scenarios.list()).scenarios).toHaveLength(scenarios.length);
    expect((await sandbox.client().post('/v2/orders', sampleOrder())).status).toBe(403);
    expect((await sandbox.switches.get()).token_expiry).toBeNull();
  });

  test.each([
    ['by its name', 'rate-limit-burst'],
    ['in a list', ['rate-limit-burst']],
  ])('the options bend every sandbox, a scenario %s', async (_, scenario) => {
    const sachet = await open({ scenario, clock: '2026-01-01T00:00:00Z' });
    const sandbox = await sachet.createSandbox();
    expect((await sandbox.clock.get()).now).toBe('2026-01-01T00:00:00.000Z');
    expect((await sandbox.client().post('/v2/orders', sampleOrder())).status).toBe(429);
  });
});

/** Options as a program in JavaScript may give them. */
const wrong = (options: unknown): SachetOptions => options as SachetOptions;
const unsound: Partial<Fixtures> = { users: fixtures.users.map((user) => ({ ...user, brand_id: 'none' })) };

describe('an option that is none is told, by the class and the words', () => {
  test.each([
    ['a record that is not whole', wrong({ fixtures: { pags: [{ id: 1 }] } }), FixturesError, '$.pags[0].id: found 1'],
    ['a record that names none', { fixtures: unsound }, FixturesError, '$.users[0].brand_id: found "none"'],
    ['a collection that there is none of', wrong({ fixtures: { pag: [] } }), FixturesError, 'unknown key "pag"'],
    ['a scenario without its words', wrong({ scenarios: [{ name: 'own' }] }), ScenariosError, 'own.json $.intent'],
    ['a name that is none', { scenarios: [refusal('Own one')] }, ScenariosError, '$[0].name: found "Own one"'],
    ['a name that is there twice', { scenarios: [refusal('own'), refusal('own')] }, ScenariosError, 'own.json'],
    ['a scenario that is none', wrong({ scenarios: [null] }), ScenariosError, '$[0].name: found nothing'],
    ['a scenario that there is none of', { scenario: 'nope' }, UnknownScenarioError, 'unknown scenario "nope"'],
    [
      'one of them that there is none of',
      { scenario: ['token-expiry', 'nope'] },
      UnknownScenarioError,
      'unknown scenario "nope"',
    ],
    ['an assumption', wrong({ assumptions: { nope: 'x' } }), UnknownChoiceError, 'Unknown assumption "nope"'],
    ['a reading', wrong({ assumptions: { next_cursor: 'x' } }), UnknownChoiceError, 'Unknown choice "x"'],
    ['a profile', wrong({ profile: 'x' }), UnknownChoiceError, 'Unknown profile "x"'],
    ['an instant', { clock: 'noon' }, UnknownInstantError, '"noon" is not an ISO 8601 instant'],
  ] as const)('%s', async (_, options, kind, words) => {
    for (const open of [createSachet, served]) {
      const error = await thrownBy(() => open(options));
      expect(error).toBeInstanceOf(kind);
      expect(error.message).toContain(words);
    }
  });

  test('with every fault of the data, as a program reads it', async () => {
    const error = await thrownBy(() => createSachet(wrong({ fixtures: { pags: [{ id: 1 }] } })));
    expect((error as InstanceType<typeof FixturesError>).faults[0]).toEqual({
      file: 'fixtures',
      path: '$.pags[0].id',
      found: '1',
      expected: 'a string',
    });
  });
});

test('every error that the library exports has its own name, which a minified class does not lose', () => {
  const errors = Object.entries(library).filter(([name]) => name.endsWith('Error'));
  expect(errors.length).toBeGreaterThan(5);
  const names = errors.map(([name, kind]) => [name, (Reflect.construct(kind, [[], 0, {}]) as Error).name]);
  expect(names).toEqual(errors.map(([name]) => [name, name]));
});

test('a folder that cannot be used is the same error as data that cannot', async () => {
  const broken = folder({ 'pags.json': '{' });
  const error = await thrownBy(() => loadFixtures(broken));
  expect(error).toBeInstanceOf(FixturesError);
  expect(error.message).toContain(join(broken, 'pags.json'));
});
