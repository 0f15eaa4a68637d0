// Sandbox-Fault and the journal name a switch that affected the response, and none that is on without effect.
import { expect, test } from 'vitest';
import type { SwitchName } from '../../../src/contract/control/switch-names.ts';
import { type Bent, bent, type SwitchesSent, unwaited } from '../../support/bent.ts';
import { element, labelUrlOf } from '../../support/labels.ts';
import type { Answer } from '../../support/sachet.ts';
import { logIn } from '../../support/tokens.ts';

const login = ({ sachet }: Bent) => logIn(sachet, 'demo', 'sachet-demo');
const products = ({ client }: Bent) => client.get('/v2/products');
const order = ({ order: send }: Bent) => send();
const label = ({ client }: Bent) => client.get('/v2/fulfillments?limit=1');

type Ask = (world: Bent) => Promise<Answer>;

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
  const world = await bent();
  await unwaited(world.sachet);
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
  const { sachet, stage, client } = await bent();
  const url = await labelUrlOf(client);
  await stage.switches.set({ label_expiry: { expire_issued: true } });
  const answer = await sachet.call('GET', url);
  expect([answer.status, answer.headers.get('sandbox-fault')]).toEqual([403, 'label_expiry']);
  expect(element(answer, 'ServerTime')).toBe('2026-11-20T12:00:00Z');
});
