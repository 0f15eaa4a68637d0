// ttl_seconds: a sandbox that is not used for so long in real time is removed. Only the machine's Date is faked; nothing waits.
import { describe, expect, test } from 'vitest';
import { controlled, machineAt, namesOf, unseeded } from '../../support/control.ts';
import { present } from '../../support/tokens.ts';

/** A server with a sandbox `team` of 60 seconds. */
async function mortal() {
  const move = machineAt('2026-11-20T08:00:00Z');
  const server = controlled();
  const { body } = await server.admin('POST', '/sandboxes', { name: 'team', ttl_seconds: 60, own_key: true });
  const isThere = async () => (await namesOf(server)).includes('team');
  return { ...server, move, isThere, key: body.key as string };
}

test('a sandbox of 60 seconds exists for 59,999 milliseconds; at 60,000 no call finds it, and its name is free', async () => {
  const { sachet, admin, move, isThere } = await mortal();
  move(59_999);
  expect(await isThere()).toBe(true);
  move(1);
  expect(await isThere()).toBe(false);
  const headers = { authorization: `Bearer ${sachet.adminKey}` };
  for (const path of ['/_admin/sandboxes/team', '/sandboxes/team/v2/products', '/sandboxes/team/_storage/labels/x.pdf'])
    expect((await sachet.call('GET', path, { headers })).status, path).toBe(404);
  const { status, body } = await admin('POST', '/sandboxes', { name: 'team' });
  expect([status, body.ttl_seconds, body.has_own_key]).toEqual([201, null, false]);
});

test('its key and its tokens are rejected then', async () => {
  const { sachet, input, move, key } = await mortal();
  const { token } = await sachet.login('demo', { base: '/sandboxes/team' });
  move(59_999);
  expect((await present(sachet, token)).status).toBe(200);
  move(60_000);
  const headers = { authorization: `Bearer ${key}` };
  const answers = [await present(sachet, token), await input('GET', '/_admin/sandboxes/team', { headers })];
  expect(answers.map(({ status }) => status)).toEqual([401, 401]);
});

describe('the time starts again', () => {
  test('with each call, whatever the response', async () => {
    const { sachet, move, isThere } = await mortal();
    const headers = { authorization: `Bearer ${sachet.adminKey}` };
    for (const call of [
      'GET /_admin/sandboxes/team/snapshots/none',
      'POST /_admin/sandboxes/team/reset',
      'GET /sandboxes/team/v2/nothing',
      'GET /sandboxes/team/_storage/labels/x.pdf',
    ]) {
      const [method = '', path = ''] = call.split(' ');
      move(59_999);
      await sachet.call(method, path, { headers });
      const team = (await sachet.control.list()).sandboxes.find(({ name }) => name === 'team');
      expect(team?.last_used_at, call).toBe(new Date().toISOString());
    }
    move(60_000);
    expect(await isThere()).toBe(false);
  });

  test('not with a call without the right key, to all sandboxes or to another', async () => {
    const { input, admin, move, isThere } = await mortal();
    move(59_999);
    await input('GET', '/_admin/sandboxes/team');
    await input('GET', '/_admin/sandboxes/team', { headers: { authorization: 'Bearer wrong' } });
    await admin('GET', '/sandboxes/stage');
    expect(await isThere()).toBe(true);
    move(1);
    expect(await isThere()).toBe(false);
  });
});

test('the clock of the sandbox, a reset and a restore leave the time as it is', async () => {
  const { admin, move, isThere } = await mortal();
  await admin('POST', '/sandboxes/team/clock/advance', { by: 'P365D' });
  await admin('POST', '/sandboxes/team/snapshots', { name: 'kept' });
  for (const path of ['reset', 'snapshots/kept/restore']) await admin('POST', `/sandboxes/team/${path}`);
  expect((await admin('GET', '/sandboxes/team')).body.ttl_seconds).toBe(60);
  move(60_000);
  expect(await isThere()).toBe(false);
});

test('stage, production and those of a login have no such time', async () => {
  const move = machineAt('2026-11-20T08:00:00Z');
  const { sachet } = controlled(unseeded);
  await sachet.login('demo+w1');
  move(20 * 365 * 86_400_000);
  expect(await namesOf({ sachet })).toEqual(['production', 'stage', 'w1']);
});
