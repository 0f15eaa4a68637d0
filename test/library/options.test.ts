// The options of a Sachet, their errors, and the shipped files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../src/contract/scenarios.ts';
import { createSachet, type SachetOptions } from '../../src/create-sachet.ts';
import * as library from '../../src/index.ts';
import { loadFixtures, loadScenarios } from '../../src/node/load-files.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { shippedFixtures, shippedScenarios } from '../../src/shipped.ts';
import { folder, root } from '../support/command.ts';
import { shippedFiles } from '../support/fixture-files.ts';
import { fixtures, scenarios } from '../support/sachet.ts';
import { served, starts, thrownBy } from './starts.ts';

const { ConfigError, FixturesError, ScenariosError, UnknownInstantError, UnknownChoiceError, UnknownScenarioError } =
  library;

/** A scenario that rejects the next order. */
const rejecting = (name: string, status: 403 | 500 = 500): Scenario => ({
  name,
  intent: 'The next order is rejected.',
  right_client: 'Tries again.',
  faults: [{ match: { operation: 'orders.create' }, status, times: 1 }],
});

describe.each(starts)('%s', (_, open) => {
  test('a config sets choices and the times of administration; assumptions override it, and it a profile', async () => {
    const config = {
      assumptions: { next_cursor: 'meta', order_endpoints: 'assumed', time_of_administration: 'closed' },
      facts: { administration_times: ['At dawn', 'At dusk'], page_size: 50 },
    } as const;
    const sachet = await open({
      config,
      profile: 'strict',
      assumptions: { next_cursor: 'header' },
    });
    const sandbox = await sachet.createSandbox();
    expect(await sandbox.assumptions.get()).toMatchObject({ ...config.assumptions, next_cursor: 'header' });
    const orderAt = (time: string) => {
      const {
        order_lines: [line],
        ...order
      } = sampleOrder();
      const pouches = line?.pouches.map((pouch) => ({ ...pouch, time_of_administration: time }));
      return sandbox.client().post('/v2/orders', { ...order, order_lines: [{ ...line, pouches }] });
    };
    expect((await orderAt('At dusk')).status).toBe(201);
    expect(await (await orderAt('Morning')).text()).toContain('must be one of [At dawn, At dusk]');
    const empty = await open({ config: {} });
    expect((await empty.sandbox('stage').assumptions.get()).order_endpoints).toBe('assumed');
  });

  test('given collections replace the shipped ones in every sandbox', async () => {
    const users = fixtures.users.slice(0, 1).map((user) => ({ ...user, username: 'own', password: 'secret' }));
    const sachet = await open({ fixtures: { pags: [], users } });
    const created = await sachet.createSandbox();
    for (const sandbox of [sachet.sandbox('stage'), created]) {
      expect((await sandbox.records.pags.list()).pags).toEqual([]);
      expect((await sandbox.records.brands.list()).brands).toHaveLength(fixtures.brands.length);
    }
    expect(created.logins).toEqual([{ username: `own+${created.name}`, password: 'secret' }]);
    expect((await created.client().get('/v2/products')).status).toBe(200);
  });

  test('given scenarios come with the shipped ones, or replace one of the same name', async () => {
    const sachet = await open({ scenarios: [rejecting('own'), rejecting('token-expiry', 403)] });
    const sandbox = await sachet.createSandbox({ scenario: 'own' });
    const names = (await sandbox.scenarios.list()).scenarios.map(({ name }) => name);
    expect(names).toEqual([...scenarios.map(({ name }) => name), 'own'].sort());
    const order = async ({ client }: typeof sandbox) => (await client().post('/v2/orders', sampleOrder())).status;
    expect([await order(sandbox), await order(sandbox)]).toEqual([500, 201]);
    const replaced = await sachet.createSandbox({ scenario: 'token-expiry' });
    expect([await order(replaced), (await replaced.switches.get()).token_expiry]).toEqual([403, null]);
  });

  test('a scenario, also in a list, and a clock apply to every sandbox', async () => {
    for (const scenario of ['rate-limit-burst', ['rate-limit-burst']]) {
      const sandbox = await (await open({ scenario, clock: '2026-01-01T00:00:00Z' })).createSandbox();
      expect((await sandbox.clock.get()).now).toBe('2026-01-01T00:00:00.000Z');
      expect((await sandbox.client().post('/v2/orders', sampleOrder())).status).toBe(429);
    }
  });
});

/** Options as a JavaScript program may give them. */
const untyped = (options: unknown): SachetOptions => options as SachetOptions;
const unsound = { users: fixtures.users.map((user) => ({ ...user, brand_id: 'none' })) };

test.each([
  [untyped({ fixtures: { pags: [{ id: 1 }] } }), FixturesError, '$.pags[0].id: found 1'],
  [{ fixtures: unsound }, FixturesError, '$.users[0].brand_id: found "none"'],
  [untyped({ config: { assumptions: { next_cursr: 'meta' } } }), ConfigError, 'Did you mean "next_cursor"?'],
  [untyped({ config: { facts: { page_size: 0 } } }), ConfigError, 'config $.facts.page_size: found 0'],
  [untyped({ scenarios: [{ name: 'own' }] }), ScenariosError, 'own.json $.intent'],
  [{ scenarios: [rejecting('Own one')] }, ScenariosError, '$[0].name: found "Own one"'],
  [{ scenario: ['token-expiry', 'nope'] }, UnknownScenarioError, 'unknown scenario "nope"'],
  [untyped({ assumptions: { nope: 'x' } }), UnknownChoiceError, 'Unknown assumption "nope"'],
  [untyped({ assumptions: { next_cursor: 'x' } }), UnknownChoiceError, 'Unknown choice "x"'],
  [{ clock: 'noon' }, UnknownInstantError, '"noon" is not an ISO 8601 instant'],
] as const)('wrong options (%#) are an error of a class of their own', async (options, kind, message) => {
  for (const open of [createSachet, served]) {
    const error = await thrownBy(() => open(options));
    expect(error).toBeInstanceOf(kind);
    expect(error.message).toContain(message);
  }
});

test('a FixturesError lists its faults, also for a folder; each exported error has its own name', async () => {
  const error = await thrownBy(() => createSachet(untyped({ fixtures: { pags: [{ id: 1 }] } })));
  const fault = { file: 'fixtures', path: '$.pags[0].id', found: '1', expected: 'a string' };
  expect(error).toMatchObject({ faults: expect.arrayContaining([fault]) });
  const broken = folder({ 'pags.json': '{' });
  const ofFolder = await thrownBy(() => loadFixtures(broken));
  expect(ofFolder).toBeInstanceOf(FixturesError);
  expect(ofFolder.message).toContain(join(broken, 'pags.json'));
  const errors = Object.entries(library).filter(([name]) => name.endsWith('Error'));
  expect(errors.length).toBeGreaterThan(5);
  const names = errors.map(([name, kind]) => [name, (Reflect.construct(kind, [[], 0, {}]) as Error).name]);
  expect(names).toEqual(errors.map(([name]) => [name, name]));
});

test('the shipped fixtures and scenarios are those of their folders', () => {
  const text = readFileSync(join(root, 'src/shipped.ts'), 'utf8');
  const imported = Array.from(text.matchAll(/ from '\.\.\/((?:fixtures|scenarios)\/[^']+)'/g), ([, file]) => file);
  const shipped = [...shippedFiles('fixtures'), ...shippedFiles('scenarios')].map(({ name }) => name);
  expect(imported.sort()).toEqual(shipped);
  expect(shippedFixtures()).toEqual(loadFixtures(join(root, 'fixtures')));
  const byName = loadScenarios(join(root, 'scenarios'));
  expect(shippedScenarios().toSorted((one, other) => (one.name < other.name ? -1 : 1))).toEqual(byName);
});

test('the sample order is accepted; it is a new object each time, whose fields can be replaced', async () => {
  const client = (await createSachet().createSandbox()).client();
  const response = await client.post('/v2/orders', sampleOrder());
  expect([response.status, (await response.json()).order.status]).toEqual([201, 'Pending']);
  expect((await client.post('/v2/orders', sampleOrder({ order_lines: [] }))).status).toBe(422);
  expect(sampleOrder({ consumer: { id: '1' } }).consumer).toEqual({ id: '1' });
  const [one, other] = [sampleOrder(), sampleOrder()];
  for (const field of ['consumer', 'shipping_address', 'order_lines'] as const)
    expect(one[field], field).not.toBe(other[field]);
});
