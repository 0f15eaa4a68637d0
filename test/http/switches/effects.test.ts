// The effect of each switch on a call that matches, and none on another. Sandbox-Fault and the journal name the switch
// that affected the response. What matches: test/http/faults.test.ts.
import { expect, test } from 'vitest';
import type { SwitchName } from '../../../src/contract/control/switch-names.ts';
import { element, labelUrlOf } from '../../support/labels.ts';
import type { Answer } from '../../support/sachet.ts';
import { broken, outcomeOf, recordDelays, type SwitchesSent, type TestStage, testStage } from '../../support/stage.ts';
import { logIn } from '../../support/tokens.ts';

type Ask = (world: TestStage) => Promise<Answer>;
const login: Ask = ({ sachet }) => logIn(sachet, 'demo', 'sachet-demo');
const products: Ask = ({ client }) => client.get('/v2/products');
const orders: Ask = ({ client }) => client.get('/v2/orders');
const order: Ask = ({ order: send }) => send();
const label: Ask = ({ client }) => client.get('/v2/fulfillments?limit=1');
const match = { operation: 'products.list' } as const;

type Effect = readonly [settings: object, affected: Ask, outcome: number | string, plain: Ask];
/** For each switch: settings, a call that they affect with its outcome, and one that they do not. */
const effects: Readonly<Record<SwitchName, readonly Effect[]>> = {
  token_expiry: [
    [{ expire_issued: true }, products, 401, login],
    [{ expire_issued: true, match }, products, 401, orders],
    [{ lifetime_seconds: 60 }, login, 200, products],
  ],
  rate_limit: [
    [{ burst: 1 }, products, 429, products],
    [{ burst: 9, match }, products, 429, orders],
    [{ for_seconds: 60, match }, products, 429, orders],
    [{ limit: 0, window_seconds: 60, match }, products, 429, orders],
  ],
  inactive_pags: [[{ all: true }, order, 201, products]],
  label_expiry: [[{ lifetime_seconds: 60 }, label, 200, products]],
  missing_permission: [
    [{ permissions: ['orders:write'] }, order, 403, products],
    [{ permissions: ['products:read', 'orders:read'], match }, products, 403, orders],
  ],
  server_error: [
    [{ burst: 1 }, products, 500, products],
    [{ match }, products, 500, orders],
  ],
  latency: [[{ milliseconds: 5, match }, products, 200, orders]],
  connection: [
    [{ drop: 'mid_body', burst: 1 }, products, broken.body, products],
    [{ drop: 'before_processing', match }, products, broken.whole, orders],
  ],
  maintenance: [[{ for_seconds: 60, match }, products, 500, orders]],
};

const rows = Object.entries(effects).flatMap(([name, some]) => some.map((effect) => [name, ...effect] as const));
test.each(rows)('%s: %j', async (name, settings, affected, expected, plain) => {
  const world = await testStage();
  await recordDelays(world.sachet);
  // It is on without any effect, and named by no response.
  await world.stage.switches.set({ connection: { drop: 'mid_body', probability: 0 } });
  await world.stage.switches.set({ [name]: settings } as SwitchesSent);
  const effectOn = async (ask: Ask) => {
    const call = ask(world);
    const outcome = await outcomeOf(call);
    const answer = await call.catch(() => undefined);
    const { requests } = await world.stage.requests.list();
    const faults = (await world.stage.requests.get(requests.at(-1)?.id ?? '')).decision?.faults.join(', ');
    if (answer) expect(faults).toBe(answer.headers.get('sandbox-fault') ?? '');
    return [outcome, faults];
  };
  expect(await effectOn(affected)).toEqual([expected, name]);
  expect(await effectOn(plain)).toEqual([200, '']);
});

test('the storage names the switch that expired a label', async () => {
  const { sachet, stage, client } = await testStage();
  const url = await labelUrlOf(client);
  await stage.switches.set({ label_expiry: { expire_issued: true } });
  const answer = await sachet.call('GET', url);
  expect([answer.status, answer.headers.get('sandbox-fault')]).toEqual([403, 'label_expiry']);
  expect(element(answer, 'ServerTime')).toBe('2026-11-20T12:00:00Z');
});
