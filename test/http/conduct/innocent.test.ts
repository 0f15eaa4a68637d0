// What looks like a breach and is none: each of these clients does what the advice says.
import { expect, test } from 'vitest';
import type { ConductRuleId } from '../../../src/contract/control/conduct.ts';
import { createSachet } from '../../../src/create-sachet.ts';
import { type Judged, judged } from '../../support/conduct/judged.ts';
import { labelUrlOf } from '../../support/labels.ts';
import { fulfillmentId, someOrder } from '../../support/order-requests.ts';
import { fixtures } from '../../support/sachet.ts';
import { dayInMilliseconds, refresh } from '../../support/tokens.ts';

const products = '/v2/products';
const outcome = async (world: Pick<Judged, 'ruled'>, id: ConductRuleId) => (await world.ruled(id)).outcome;
const fault = ({ stage }: Judged, sent: Parameters<Judged['stage']['faults']['create']>[0]) =>
  stage.faults.create(sent);

test('calls of any length that are made side by side have a dead token all of them', async () => {
  await using sachet = createSachet({ clock: '2026-01-01T00:00:00Z' });
  const sandbox = await sachet.createSandbox();
  const client = sandbox.client();
  await client.get(products);
  await sandbox.switches.set({ token_expiry: { expire_issued: true } });
  await Promise.all([client.get(products), client.post('/v2/orders', someOrder()), client.get('/v2/fulfillments')]);
  const { rules } = await sandbox.report.get();
  expect(rules.find(({ id }) => id === 'no_dead_token')?.outcome).toBe('pass');
});

test('a refused call was made again, also where that answer was lost', async () => {
  const world = await judged();
  await world.expireTokens();
  await world.order();
  const renewed = await world.renewed();
  await world.stage.switches.set({ connection: { drop: 'after_processing', burst: 1 } });
  await renewed.post('/v2/orders', someOrder()).catch(() => undefined);
  await renewed.get('/v2/orders');
  expect(await outcome(world, 'refresh_on_401')).toBe('pass');
});

test('a straggler with the old token is no reason to refresh once the user has logged in anew', async () => {
  const world = await judged();
  await world.elapse(31 * dayInMilliseconds);
  await world.client.get(products);
  await world.refresh();
  const anew = await world.sachet.login();
  await world.client.get('/v2/fulfillments');
  for (const path of [products, '/v2/fulfillments']) await anew.get(path);
  expect(await outcome(world, 'refresh_on_401')).toBe('pass');
});

test('a token that lives shortly is renewed as often as it must be', async () => {
  const world = await judged();
  await world.stage.switches.set({ token_expiry: { lifetime_seconds: 20 } });
  for (let n = 0; n < 3; n += 1) {
    await (await world.renewed()).get(products);
    await world.elapse(15_000);
  }
  expect(await outcome(world, 'refresh_on_401')).not.toBe('fail');
});

test('a 401 by a fault, long after the refresh, is one like any other', async () => {
  const world = await judged();
  await world.expireTokens();
  await world.client.get(products);
  const renewed = await world.renewed();
  await renewed.get(products);
  await fault(world, { status: 401, times: 1 });
  await renewed.get(products);
  await (await world.renewed()).get(products);
  expect(await outcome(world, 'refresh_on_401')).toBe('pass');
});

test('a fresh token that a fault refuses at once is the best that there is', async () => {
  const world = await judged();
  await fault(world, { status: 401, match: { operation: 'products.list' } });
  await world.client.get(products);
  const renewed = await world.renewed();
  for (const path of [products, '/v2/fulfillments']) await renewed.get(path);
  expect(await outcome(world, 'no_dead_token')).toBe('pass');
});

test('a sandbox that was restored gives the same token anew', async () => {
  const world = await judged();
  await world.stage.snapshots.create({ name: 'base' });
  const first = await world.sachet.login();
  await fault(world, { status: 401, times: 1 });
  await first.get(products);
  await world.stage.snapshots.restore('base');
  const again = await world.sachet.login();
  expect(again.token).toBe(first.token);
  await again.get(products);
  expect(await outcome(world, 'no_dead_token')).toBe('pass');
});

test('what one user is told is not told to another', async () => {
  for (const [id, switches] of [
    ['retry_after', { rate_limit: { burst: 1 } }],
    ['backoff_on_500', { server_error: { burst: 1 } }],
  ] as const) {
    const world = await judged();
    const other = await world.sachet.login('read-only');
    await world.stage.switches.set(switches);
    await world.client.get(products);
    await other.get(products);
    expect(await outcome(world, id), id).toBe('not_exercised');
  }
});

test('two users who were logged in before the journal was cleared refresh each their own token', async () => {
  const world = await judged();
  const users = [world.client, await world.sachet.login('read-only')];
  await world.stage.requests.clear();
  await world.expireTokens();
  for (const user of users) await user.get(products);
  for (const { refreshToken } of users) {
    const { body } = await refresh(world.sachet, refreshToken);
    await world.sachet.client(body.access_token).get(products);
  }
  expect(await outcome(world, 'refresh_on_401')).toBe('pass');
});

test('a page that is refused for good cannot be read, and that of a HEAD is none', async () => {
  const world = await judged();
  const { next_cursor } = (await world.client.get('/v2/fulfillments?limit=10')).body;
  await world.stage.switches.set({ missing_permission: { permissions: ['fulfillments:read'] } });
  await world.client.get(`/v2/fulfillments?limit=10&cursor=${next_cursor}`);
  await world.stage.switches.clear();
  const headers = { authorization: `Bearer ${world.client.token}` };
  await world.sachet.call('HEAD', '/v2/fulfillments?limit=2', { headers });
  expect(await outcome(world, 'cursor_to_the_end')).toBe('pass');
});

test('a label whose fulfillment is gone has been asked for', async () => {
  const world = await judged();
  const url = await labelUrlOf(world.client, fulfillmentId(1));
  await world.stage.records.fulfillments.delete(fulfillmentId(1));
  expect((await world.sachet.call('GET', url)).status).toBe(404);
  expect((await world.client.get(`/v2/fulfillments/${fulfillmentId(1)}`)).status).toBe(404);
  expect(await outcome(world, 'fresh_label')).toBe('pass');
});

test('a label_url that was refused for the token beside it is not dead', async () => {
  const world = await judged();
  const url = await labelUrlOf(world.client);
  expect((await world.client.get(url)).status).toBe(400);
  expect(await outcome(world, 'fresh_label')).toBe('not_exercised');
  expect((await world.sachet.call('GET', url)).status).toBe(200);
  expect(await outcome(world, 'fresh_label')).toBe('pass');
});

test('an order that is gone again when the client looks for it may be sent again', async () => {
  const world = await judged();
  await world.stage.snapshots.create({ name: 'base' });
  await world.stage.switches.set({ connection: { drop: 'after_processing', burst: 1 } });
  await world.order().catch(() => undefined);
  await world.stage.snapshots.restore('base');
  await world.client.get('/v2/orders');
  await world.order();
  expect(await outcome(world, 'no_double_submit')).toBe('pass');
});

test('looking for an order takes its own time, and is none of the pause', async () => {
  const world = await judged();
  await world.stage.switches.set({ server_error: { burst: 4, match: { method: 'POST' } } });
  for (const pause of [1000, 2000]) {
    await world.order();
    await world.elapse(pause);
    await world.client.get('/v2/orders');
    await world.elapse(pause === 1000 ? 4000 : 0);
    await world.client.get('/v2/orders');
  }
  await world.order();
  expect(await outcome(world, 'backoff_on_500')).toBe('pass');
});

test('a pause in which the clock was advanced is no measure for the next one', async () => {
  const world = await judged();
  await world.stage.switches.set({ server_error: { burst: 3 } });
  for (const pause of [1000, 300_000, 4000]) {
    await world.status();
    await world.elapse(pause);
  }
  await world.status();
  expect(await outcome(world, 'backoff_on_500')).toBe('pass');
});

test('names of fields stand in a sentence whatever they are', async () => {
  const world = await judged({ assumptions: { unknown_fields: 'ignore' } });
  const { token } = world.client;
  const escaped = Array.from(token, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  await world.order({ ['x\n\u001b[31m\u202e"'.repeat(100)]: 1, [token]: 1 });
  await world.client.get(`/v2/fulfillments?limit=100&${escaped}=1`);
  const { advice } = await world.ruled('documented_fields');
  expect(advice).toMatch(/^[^\p{C}]{20,400}$/u);
  for (const secret of [token, token.split('.')[2] ?? '', fixtures.users[0]?.password ?? ''])
    expect(advice).not.toContain(secret);
});
