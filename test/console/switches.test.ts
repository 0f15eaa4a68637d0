// The pages of switches, faults and scenarios: what is on, what remains of it, and the buttons and fields that change it.
import { describe, expect, test } from 'vitest';
import { labelOf } from '../../src/console/parts/labels.tsx';
import { type SwitchName, switchNames } from '../../src/contract/control/switch-names.ts';
import { noon, scenarios } from '../support/sachet.ts';
import { times } from '../support/stage.ts';
import { allOf, openPage } from './console.ts';

/** The parts are the cards, such as `switch-latency`. */
const open = (options: Parameters<typeof openPage>[2] = {}) => openPage('switches', 'article', options);
const openScenarios = (options: Parameters<typeof openPage>[2] = {}) => openPage('scenarios', 'article', options);

test('each button turns a switch on, and another turns it off', async () => {
  const { press, words, stage } = await open();
  const onOrders = { match: { operation: 'orders.create' } };
  const buttons: Readonly<Record<SwitchName, Readonly<Record<string, object>>>> = {
    token_expiry: { 'Expire all tokens': { expire_issued: true }, 'Tokens valid for 60 s': { lifetime_seconds: 60 } },
    rate_limit: { 'Next 3 calls: 429': { burst: 3 }, '10 calls a minute': { limit: 10, window_seconds: 60 } },
    inactive_pags: { 'All PAGs inactive': { all: true } },
    label_expiry: { 'Expire all label URLs': { expire_issued: true }, 'URLs valid for 60 s': { lifetime_seconds: 60 } },
    missing_permission: { 'Revoke orders:write': { permissions: ['orders:write'] } },
    server_error: { 'Next call: 500': { burst: 1 }, 'Next order: 500': { burst: 1, ...onOrders } },
    latency: { 'Delay every call by 2 s': { milliseconds: 2000 } },
    connection: {
      'Next order: stored, response lost': { drop: 'after_processing', after: 'success', burst: 1, ...onOrders },
    },
    maintenance: { 'Maintenance for 60 s': { for_seconds: 60 } },
  };
  for (const name of switchNames)
    for (const [label, settings] of Object.entries(buttons[name])) {
      expect((await press(`switch-${name}`, label)).status, label).toBe(200);
      expect((await stage.switches.get())[name], label).toMatchObject(settings);
      expect(await words(`switch-${name}`)).toContain(`${labelOf(name)} ${name} ● on`);
      expect((await press(`switch-${name}`, 'Turn off')).text).toContain(labelOf(name));
      expect((await stage.switches.get())[name]).toBeNull();
    }
});

test.each<[SwitchName, typed: Record<string, string>, settings: object]>([
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
  ['missing_permission', { 'permissions:list': 'consumers:read' }, { permissions: ['consumers:read'] }],
  ['server_error', {}, {}],
  [
    'latency',
    { 'min:number': '1', 'max:number': '2.5', 'probability:number': '0.5' },
    { min: 1, max: 2.5, probability: 0.5 },
  ],
])('the fields of %s turn it on: %j', async (name, typed, settings) => {
  const { press, stage } = await open();
  const fields = Object.fromEntries(Object.entries(typed).map(([field, value]) => [`${name}.${field}`, value]));
  expect((await press(`switch-${name}`, 'Turn on', fields)).text).toContain(labelOf(name));
  expect((await stage.switches.get())[name]).toMatchObject(settings);
});

test('invalid settings are rejected, and the switch stays off', async () => {
  const { press, stage } = await open();
  const typed = { 'rate_limit.burst:number': '3', 'rate_limit.for_seconds:number': '5' };
  const { status, text } = await press('switch-rate_limit', 'Turn on', typed);
  expect([status, text]).toEqual([422, expect.stringContaining('one of burst, for_seconds, limit + window_seconds')]);
  expect((await press('switch-latency', 'Turn on')).status).toBe(422);
  expect(await stage.switches.get()).toMatchObject({ rate_limit: null, latency: null });
});

test('a burst and a window count down their calls', async () => {
  const { press, words, status, statuses } = await open();
  const rateLimit = () => words('switch-rate_limit');
  await press('switch-rate_limit', 'Next 3 calls: 429');
  expect(await rateLimit()).toContain('3 of 3 calls left 0 calls affected');
  expect(await status()).toBe(429);
  expect(await rateLimit()).toContain('2 of 3 calls left 1 call affected ');
  expect(await statuses(3)).toEqual([...times(2, 429), 200]);
  expect(await rateLimit()).toContain('◌ used up');
  await press('switch-rate_limit', 'Set again');
  expect(await rateLimit()).toMatch(/● on .* 3 of 3 calls left/);
  await press('switch-rate_limit', '10 calls a minute');
  await status();
  expect(await rateLimit()).toContain('9 of 10 calls left in this window the window ends 12:01:00');
  await statuses(9);
  expect(await rateLimit()).toContain('● on');
});

test('the page shows when the clock ends a switch, and refreshes while a running clock will', async () => {
  const { press, words, elapse, see, stage } = await open();
  const refreshesIf = async (frozen: boolean) => {
    await stage.clock.set({ frozen });
    const { html } = await see();
    await stage.clock.set({ frozen: true, now: noon });
    return html.includes('hx-trigger="every');
  };
  expect(await refreshesIf(false)).toBe(false);
  await press('switch-maintenance', 'Maintenance for 60 s');
  expect(await words('switch-maintenance')).toContain('ends 12:01:00');
  expect([await refreshesIf(true), await refreshesIf(false)]).toEqual([false, true]);
  await elapse(60_000);
  expect(await words('switch-maintenance')).toMatch(/used up.*ended 12:01:00/);
  await press('switch-maintenance', 'Turn on', { 'maintenance.for_seconds:number': '86400' });
  expect(await words('switch-maintenance')).toContain('ends Nov 21, 2026, 12:01:00 UTC');
});

test('a card names the records of its settings', async () => {
  const { words, stage } = await open();
  const [pag] = (await stage.records.pags.list()).pags;
  await stage.switches.set({ inactive_pags: { ids: [`${pag?.id}`] } });
  expect(await words('switch-inactive_pags')).toContain(`Only: ${pag?.name}`);
});

test('"All off" turns off every switch', async () => {
  const { press, see, seen, stage } = await open();
  await press('switch-rate_limit', 'Next 3 calls: 429');
  await press('switch-inactive_pags', 'All PAGs inactive');
  const { html, text } = await see();
  expect(text).toContain('2 switches are on');
  await seen.press(html, 'All off');
  expect(new Set(Object.values(await stage.switches.get()))).toEqual(new Set([null]));
});

test('buttons add the faults for gateway errors and a rejection by a rule', async () => {
  const { see, seen, stage } = await open();
  const { html } = await see();
  for (const label of ['Next call: 503', 'Next call: 504', 'Next order: no PAG']) await seen.press(html, label);
  const { faults } = await stage.faults.list();
  expect(faults.map((fault) => `${fault.times} × ${fault.status ?? fault.rule}`)).toEqual([
    '1 × 503',
    '1 × 504',
    '1 × ORD-21',
  ]);
});

test('faults are listed until they are removed', async () => {
  const { see, seen, stage, order } = await open();
  await stage.faults.create({ id: 'lost', match: { operation: 'orders.create' }, status: 422, times: 2 });
  await order();
  const { html, text } = await see();
  expect(text).toContain('lost Remove 1 of 2 calls left 1 call affected Operation: Create an order');
  expect(text).toContain('Status: 422');
  await seen.press(html, 'Remove');
  expect((await stage.faults.list()).faults).toEqual([]);
  const gone = await seen.press(html, 'Remove');
  expect([gone.status, gone.text]).toEqual([404, expect.stringContaining('"lost"')]);
});

describe('scenarios', () => {
  test('show the situation in one line with tags, details on demand, and can be searched', async () => {
    const { see, seen, words } = await openScenarios();
    const { text } = await see();
    for (const { name, intent, right_client } of scenarios)
      for (const part of [`${name} Apply`, `Situation ${intent}`, `A correct client ${right_client}`])
        expect(text).toContain(part.replaceAll(/\s+/g, ' '));
    const card = await words('scenario-rate-limit-burst');
    const create = 'Create an order orders.create';
    expect(card).toContain('The next three orders hit the rate limit, and must wait 60 seconds. Rate limit Details');
    expect(card).toContain(`Expected calls 3 × ${create} 429 at least 1 × ${create} 201`);
    expect(card).toContain('Conduct Retry after retry_after');
    expect(card).toContain('It sets { "switches": { "rate_limit": { "burst": 3');
    const found = async (q: string) =>
      allOf((await seen.see(`scenarios?q=${q}`)).html, /id="scenario-([\w-]+)-details"/g);
    expect(await found('BURST')).toEqual(['rate-limit-burst']);
    expect(await found('assumption: fulfillment timeline')).toEqual(['doorstep']);
    expect((await seen.see('scenarios?q=<b>')).text).toContain('No scenario matches “<b>”.');
    expect((await (await openScenarios({ scenarios: [] })).see()).text).toContain('no scenarios');
  });

  test('are applied, count the received calls, and are removed', async () => {
    const { press, words, order, stage, seen } = await openScenarios();
    const card = 'scenario-rate-limit-burst';
    const applied = async () =>
      (await stage.scenarios.list()).scenarios.filter(({ applied_at }) => applied_at !== null).map(({ name }) => name);
    await press(card, 'Apply');
    expect(await applied()).toEqual(['rate-limit-burst']);
    expect(await words(card)).toMatch(/since Nov 20, 2026, 12:00:00 UTC ● applied Remove .*429 \(0 received\)/);
    expect((await seen.see('switches')).text).toContain('set by the scenario Rate limit burst rate-limit-burst');
    for (let n = 0; n < 3; n += 1) expect((await order()).status).toBe(429);
    expect(await words(card)).toContain('429 (3 received ✓)');
    await press(card, 'Remove');
    expect(await applied()).toEqual([]);
    expect((await order()).status).toBe(201);
    const unknown = await seen.act('scenarios.apply', {}, { name: 'nothing' });
    expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('"nothing"')]);
  });
});
