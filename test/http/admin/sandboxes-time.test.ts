// ttl_seconds: real time without use, after which a sandbox is gone. Only the machine's Date is turned; nothing waits.
import { describe, expect, test } from 'vitest';
import { controlled, everything, machineAt, namesOf, unseeded } from '../../support/control.ts';
import { present } from '../../support/tokens.ts';

async function mortal(ttl_seconds = 60) {
  const move = machineAt('2026-11-20T08:00:00Z');
  const server = controlled();
  const { body } = await server.admin('POST', '/sandboxes', { name: 'team', ttl_seconds, own_key: true });
  return { ...server, move, key: body.key as string };
}

describe('a sandbox of 60 seconds', () => {
  test('is there for 59,999 milliseconds and gone at 60,000', async () => {
    const { sachet, move } = await mortal();
    move(59_999);
    expect(await namesOf({ sachet })).toContain('team');
    move(1);
    expect(await namesOf({ sachet })).toEqual(['production', 'stage']);
  });

  test.each([
    ['GET', '/_admin/sandboxes/team'],
    ['POST', '/_admin/sandboxes/team/reset'],
    ['GET', '/sandboxes/team/v2/products'],
    ['GET', '/sandboxes/team/_storage/labels/x.pdf'],
  ])('is not found by %s %s from then on, whoever asks first', async (method, path) => {
    const { sachet, move } = await mortal();
    move(60_000);
    const headers = { authorization: `Bearer ${sachet.adminKey}` };
    expect((await sachet.call(method, path, { headers })).status).toBe(404);
  });

  test('lets its own key in no longer', async () => {
    const { input, move, key } = await mortal();
    move(60_000);
    const headers = { authorization: `Bearer ${key}` };
    expect((await input('GET', '/_admin/sandboxes/team', { headers })).status).toBe(401);
  });

  test('lets its tokens in no longer', async () => {
    const { sachet, move } = await mortal();
    const { token } = await sachet.login('demo', { base: '/sandboxes/team' });
    move(59_999);
    expect((await present(sachet, token)).status).toBe(200);
    move(60_000);
    expect((await present(sachet, token)).status).toBe(401);
  });

  test('frees its name', async () => {
    const { admin, move } = await mortal();
    move(59_999);
    expect((await admin('POST', '/sandboxes', { name: 'team' })).status).toBe(409);
    move(1);
    const { status, body } = await admin('POST', '/sandboxes', { name: 'team' });
    expect([status, body.ttl_seconds, body.has_own_key]).toEqual([201, null, false]);
  });
});

describe('its time begins anew', () => {
  test.each([
    ['GET', '/_admin/sandboxes/team'],
    ['GET', '/_admin/sandboxes/team/snapshots/none'],
    ['POST', '/_admin/sandboxes/team/reset'],
    ['GET', '/sandboxes/team/v2/products'],
    ['GET', '/sandboxes/team/v2/nothing'],
    ['GET', '/sandboxes/team/_storage/labels/x.pdf'],
  ])('with %s %s, however it is answered', async (method, path) => {
    const { sachet, move } = await mortal();
    const headers = { authorization: `Bearer ${sachet.adminKey}` };
    move(59_999);
    await sachet.call(method, path, { headers });
    const [shown] = (await sachet.control.list()).sandboxes.filter(({ name }) => name === 'team');
    expect(shown?.last_used_at).toBe('2026-11-20T08:00:59.999Z');
    move(59_999);
    expect(await namesOf({ sachet })).toContain('team');
    move(1);
    expect(await namesOf({ sachet })).not.toContain('team');
  });

  test.each([
    ['without a key', {}],
    ['with a wrong key', { authorization: 'Bearer wrong' }],
  ])('not with a call %s', async (_, headers) => {
    const { sachet, input, move } = await mortal();
    move(59_999);
    await input('GET', '/_admin/sandboxes/team', { headers });
    move(1);
    expect(await namesOf({ sachet })).not.toContain('team');
  });

  test('not with the list of all sandboxes, nor with calls to another', async () => {
    const { sachet, admin, move } = await mortal();
    move(59_999);
    await namesOf({ sachet });
    await admin('GET', '/sandboxes/stage');
    move(1);
    expect(await namesOf({ sachet })).not.toContain('team');
  });
});

test('it goes by real time, not by the clock of the sandbox', async () => {
  const { sachet, admin } = await mortal();
  await admin('POST', '/sandboxes/team/clock/advance', { by: 'P365D' });
  expect(await namesOf({ sachet })).toContain('team');
});

test('a reset and a restore leave its time as it is', async () => {
  const { admin, sachet, move } = await mortal();
  await admin('POST', '/sandboxes/team/snapshots', { name: 'kept' });
  for (const path of ['reset', 'snapshots/kept/restore']) await admin('POST', `/sandboxes/team/${path}`);
  expect((await admin('GET', '/sandboxes/team')).body.ttl_seconds).toBe(60);
  move(60_000);
  expect(await namesOf({ sachet })).not.toContain('team');
});

test('stage, production and those made by a login never end', async () => {
  const move = machineAt('2026-11-20T08:00:00Z');
  const server = controlled(unseeded);
  await server.sachet.login('demo+w1');
  move(20 * 365 * 86_400_000);
  expect((await everything(server)).sandboxes.map(({ name }) => name)).toEqual(['production', 'stage', 'w1']);
});
