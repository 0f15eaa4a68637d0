// Sandbox-Fault and the journal name a switch that affected the response, and none that is on without effect.
import { expect, test } from 'vitest';
import type { SwitchName } from '../../../src/contract/control/switch-names.ts';
import { labelUrlOf } from '../../support/labels.ts';
import type { Answer } from '../../support/sachet.ts';
import { recordDelays, type SwitchesSent, type TestStage, testStage } from '../../support/stage.ts';

const login = ({ sachet }: TestStage) =>
  sachet.call('POST', '/v2/authentication/token', { body: { username: 'demo', password: 'sachet-demo' } });
const products = ({ client }: TestStage) => client.get('/v2/products');
const order = ({ order: send }: TestStage) => send();
const label = ({ client }: TestStage) => client.get('/v2/fulfillments?limit=1');

type Ask = (world: TestStage) => Promise<Answer>;

/** For each switch: settings, a call that they affect, and one that they do not. */
const effects: Readonly<Record<SwitchName, readonly (readonly [SwitchesSent, affected: Ask, plain: Ask])[]>> = {
  token_expiry: [
    [{ token_expiry: { expire_issued: true } }, products, login],
    [{ token_expiry: { lifetime_seconds: 60 } }, login, products],
  ],
  rate_limit: [
    [{ rate_limit: { burst: 1 } }, products, products],
    [{ rate_limit: { for_seconds: 60, match: { method: 'POST' } } }, order, products],
  ],
  inactive_pags: [[{ inactive_pags: { all: true } }, order, products]],
  label_expiry: [[{ label_expiry: { lifetime_seconds: 60 } }, label, products]],
  missing_permission: [[{ missing_permission: { permissions: ['orders:write'] } }, order, products]],
  server_error: [[{ server_error: { burst: 1 } }, products, products]],
  latency: [[{ latency: { milliseconds: 5, match: { method: 'POST' } } }, order, products]],
  connection: [[{ connection: { drop: 'mid_body', burst: 1 } }, products, products]],
  maintenance: [
    [{ connection: { drop: 'mid_body', probability: 0 }, maintenance: { for_seconds: 60 } }, products, products],
  ],
};

test.each(Object.values(effects).flat())('%j', async (switches, affected, plain) => {
  const world = await testStage();
  await recordDelays(world.sachet);
  await world.stage.switches.set(switches);
  const name = Object.keys(switches).at(-1) ?? '';
  const switchesOf = async (ask: Ask) => {
    const answer = await ask(world).catch(() => undefined);
    const { requests } = await world.stage.requests.list();
    const faults = (await world.stage.requests.get(requests.at(-1)?.id ?? '')).decision?.faults.join(', ') ?? '';
    if (answer) expect(faults).toBe(answer.headers.get('sandbox-fault') ?? '');
    return faults;
  };
  expect(await switchesOf(affected)).toBe(name);
  if (name === 'maintenance') await world.elapse(60_000);
  expect(await switchesOf(plain)).toBe('');
});

test('the storage names the switch that expired a label', async () => {
  const { sachet, stage, client } = await testStage();
  const url = await labelUrlOf(client);
  await stage.switches.set({ label_expiry: { expire_issued: true } });
  const { status, headers } = await sachet.call('GET', url);
  expect([status, headers.get('sandbox-fault')]).toEqual([403, 'label_expiry']);
});
