// Switches: every one is shown with what became of it, and each of its buttons and fields turns it.
import { describe, expect, test } from 'vitest';
import { labelOf } from '../../src/console/parts/labels.tsx';
import { idSettings, switchNames } from '../../src/contract/control/switch-names.ts';
import { bent, times } from '../support/bent.ts';
import { consoleOf, textOf } from '../support/console.ts';
import { partOf, press } from '../support/pressed.ts';

async function page(options: Parameters<typeof bent>[0] = {}) {
  const world = await bent(options);
  const seen = consoleOf(world.sachet);
  const card = async (name: string) => partOf((await seen.see('switches')).html, 'article', `switch-${name}`);
  return {
    ...world,
    seen,
    card,
    words: async (name: string) => textOf(await card(name)),
    press: async (name: string, label: string, typed?: Record<string, string>) =>
      press(seen, await card(name), label, typed),
  };
}

describe('a plain sandbox', () => {
  test('shows every switch as off, with what it does', async () => {
    const { words, seen } = await page();
    for (const name of switchNames) expect(await words(name)).toContain(`${labelOf(name)} ${name} ○ off`);
    expect(await words('rate_limit')).toContain('Calls over the limit get 429 with Retry-After');
    expect((await seen.see('switches')).text).toContain('All switches are off');
    expect((await seen.see('switches')).text).toContain('No faults are on.');
  });
});

test.each([
  ['token_expiry', 'Expire all tokens', { expire_issued: true }],
  ['token_expiry', 'Tokens valid for 60 s', { lifetime_seconds: 60 }],
  ['rate_limit', 'Next 3 calls: 429', { burst: 3 }],
  ['rate_limit', '10 calls a minute', { limit: 10, window_seconds: 60 }],
  ['inactive_pags', 'All PAGs inactive', { all: true }],
  ['label_expiry', 'Expire all label URLs', { expire_issued: true }],
  ['label_expiry', 'URLs valid for 60 s', { lifetime_seconds: 60 }],
  ['missing_permission', 'Revoke orders:write', { permissions: ['orders:write'] }],
  ['server_error', 'Next call: 500', { burst: 1 }],
  ['server_error', 'Next order: 500', { burst: 1, match: { operation: 'orders.create' } }],
  ['latency', 'Delay every call by 2 s', { milliseconds: 2000 }],
  [
    'connection',
    'Next order: stored, response lost',
    { drop: 'after_processing', after: 'success', burst: 1, match: { operation: 'orders.create' } },
  ],
  ['maintenance', 'Maintenance for 60 s', { for_seconds: 60 }],
] as const)('%s: the button "%s" turns it, and another turns it off', async (name, label, settings) => {
  const world = await page();
  expect((await world.press(name, label)).status).toBe(200);
  expect((await world.stage.switches.get())[name]).toMatchObject(settings);
  expect(await world.words(name)).toContain(`${labelOf(name)} ${name} ● on`);
  expect((await world.press(name, 'Turn off')).text).toContain(`${labelOf(name)} turned off`);
  expect((await world.stage.switches.get())[name]).toBeNull();
});

test.each([
  [
    'token_expiry',
    { 'lifetime_seconds:number': '5', 'expire_issued:json': 'true' },
    { lifetime_seconds: 5, expire_issued: true },
  ],
  [
    'rate_limit',
    { 'limit:number': '0', 'window_seconds:number': '9', 'retry_after:number': '7', 'match.operation': 'orders.list' },
    { limit: 0, window_seconds: 9, retry_after: 7, match: { operation: 'orders.list' } },
  ],
  ['rate_limit', { 'for_seconds:number': '30' }, { for_seconds: 30 }],
  [
    'inactive_pags',
    { 'ids:list': '30000000-0000-4000-8000-000000000002' },
    { ids: ['30000000-0000-4000-8000-000000000002'] },
  ],
  ['label_expiry', { 'lifetime_seconds:number': '5' }, { lifetime_seconds: 5 }],
  ['missing_permission', { 'permissions:list': 'consumers:read' }, { permissions: ['consumers:read'] }],
  ['server_error', {}, {}],
  ['server_error', { 'probability:number': '0.25' }, { probability: 0.25 }],
  [
    'latency',
    { 'min:number': '1', 'max:number': '2.5', 'probability:number': '0.5' },
    { min: 1, max: 2.5, probability: 0.5 },
  ],
  ['connection', { drop: 'mid_body' }, { drop: 'mid_body' }],
  [
    'maintenance',
    { 'for_seconds:number': '5', 'match.operation': 'orders.get' },
    { for_seconds: 5, match: { operation: 'orders.get' } },
  ],
] as const)('%s is turned by fields of its own: %j', async (name, typed, settings) => {
  const world = await page();
  const fields = Object.fromEntries(Object.entries(typed).map(([field, value]) => [`${name}.${field}`, value]));
  const done = await world.press(name, 'Turn on', fields);
  expect(done.text).toContain(`${labelOf(name)} turned on`);
  expect((await world.stage.switches.get())[name]).toEqual(expect.objectContaining(settings));
});

test('offers the records that a setting names, and no others', async () => {
  const world = await page();
  const state = (await world.sachet.sandbox('stage')).state;
  for (const [name, settings] of Object.entries(idSettings))
    for (const [setting, collection] of Object.entries(settings)) {
      const offered = (await world.card(name)).matchAll(
        new RegExp(`name="${name}\\.${setting}:list" value="([^"]+)"`, 'g'),
      );
      const ids = Array.from(state.table(collection).entries(), ([, { id }]) => id);
      expect(Array.from(offered, ([, id]) => id)).toEqual(ids);
    }
});

describe('what remains', () => {
  test('is counted down with the calls that are met, and a burst that is used up says so', async () => {
    const world = await page();
    await world.press('rate_limit', 'Next 3 calls: 429');
    expect(await world.words('rate_limit')).toContain('3 of 3 calls left 0 calls affected');
    expect(await world.status()).toBe(429);
    expect(await world.words('rate_limit')).toContain('2 of 3 calls left 1 call affected ');
    expect(await world.statuses(3)).toEqual([...times(2, 429), 200]);
    expect(await world.words('rate_limit')).toContain('◌ used up');
  });

  test('of a window is the calls that it lets pass yet', async () => {
    const world = await page();
    await world.press('rate_limit', '10 calls a minute');
    await world.status();
    expect(await world.words('rate_limit')).toContain('9 of 10 calls left in this window the window ends 12:01:00');
    await world.statuses(9);
    expect(await world.words('rate_limit')).toContain('● on');
  });

  test('of what ends by the clock is when; on another day the day is said', async () => {
    const world = await page();
    await world.press('maintenance', 'Maintenance for 60 s');
    expect(await world.words('maintenance')).toContain('ends 12:01:00');
    await world.elapse(60_000);
    expect(await world.words('maintenance')).toMatch(/used up.*ended 12:01:00/);
    await world.press('maintenance', 'Turn on', { 'maintenance.for_seconds:number': '86400' });
    expect(await world.words('maintenance')).toContain('ends Nov 21, 2026, 12:01:00 UTC');
  });

  test('is looked at again by itself where a running clock ends something', async () => {
    const world = await page();
    const again = async () => (await world.seen.see('switches')).html.includes('hx-trigger="every');
    await world.stage.clock.set({ frozen: false });
    expect(await again()).toBe(false);
    await world.press('maintenance', 'Maintenance for 60 s');
    expect(await again()).toBe(true);
    await world.stage.clock.set({ frozen: true });
    expect(await again()).toBe(false);
  });

  test('all switches are turned off at once', async () => {
    const world = await page();
    await world.press('rate_limit', 'Next 3 calls: 429');
    await world.press('inactive_pags', 'All PAGs inactive');
    const { html, text } = await world.seen.see('switches');
    expect(text).toContain('2 switches are on');
    await press(world.seen, html, 'All off');
    expect(Object.values(await world.stage.switches.get()).every((shown) => shown === null)).toBe(true);
  });
});

describe('refused', () => {
  test('two ways at once are refused in words, and the switch stays as it was', async () => {
    const world = await page();
    const typed = { 'rate_limit.burst:number': '3', 'rate_limit.for_seconds:number': '5' };
    const { status, text } = await world.press('rate_limit', 'Turn on', typed);
    expect(status).toBe(422);
    expect(text).toContain('one of burst, for_seconds, limit + window_seconds');
    expect((await world.stage.switches.get()).rate_limit).toBeNull();
  });

  test('an empty form turns nothing on where a switch needs settings', async () => {
    const world = await page();
    expect((await world.press('latency', 'Turn on')).status).toBe(422);
  });
});

describe('faults', () => {
  test('buttons add a gateway error and a refusal by a rule', async () => {
    const world = await page();
    for (const [status, rule] of [
      ['503', undefined],
      ['504', undefined],
      [undefined, '"ORD-21"'],
    ]) {
      const fields = {
        ...(status && { 'status:json': status }),
        ...(rule && { 'rule:json': rule }),
        'times:json': '1',
      };
      expect((await world.seen.act('faults.create', fields)).status).toBe(200);
    }
    const { faults } = await world.stage.faults.list();
    expect(faults.map(({ status, rule }) => status ?? rule)).toEqual([503, 504, 'ORD-21']);
    const { text } = await world.seen.see('switches');
    for (const label of ['Next call: 503', 'Next call: 504', 'Next order: no PAG']) expect(text).toContain(label);
  });

  test('are listed with what they do, and taken out', async () => {
    const world = await page();
    await world.stage.faults.create({ id: 'lost', match: { operation: 'orders.create' }, status: 422, times: 2 });
    await world.order();
    const { html, text } = await world.seen.see('switches');
    expect(text).toContain(
      'lost Remove 1 of 2 calls left 1 call affected Operation: Create an order (orders.create) Status: 422 Number of calls to affect: 2',
    );
    await press(world.seen, html, 'Remove');
    expect((await world.stage.faults.list()).faults).toEqual([]);
  });

  test.each([
    ['has met all its calls', { times: 1 }],
    ['has come to its end', { for_seconds: 60 }],
  ])('one that %s is used up, and says so', async (_, bounds) => {
    const world = await page();
    await world.stage.faults.create({ id: 'lost', status: 422, ...bounds });
    expect((await world.seen.see('switches')).text).not.toContain('used up');
    await world.status();
    await world.elapse(60_000);
    expect((await world.seen.see('switches')).text).toContain('lost ◌ used up Remove');
  });

  test('what a tester wrote into one is shown as text', async () => {
    const world = await page();
    await world.stage.faults.create({ status: 422, match: { body: { name: '<script>alert(1)</script>' } } });
    const { html, text } = await world.seen.see('switches');
    expect(html).not.toContain('<script>alert');
    expect(text).toContain('<script>alert(1)</script>');
  });

  test('one that is gone by now says so', async () => {
    const world = await page();
    const { status, text } = await world.seen.act('faults.delete', {}, { id: 'gone' });
    expect(status).toBe(404);
    expect(text).toContain('There is no fault "gone"');
  });
});
