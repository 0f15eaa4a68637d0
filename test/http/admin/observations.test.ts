// What recordings of the service show, kept with a sandbox: read from HAR documents, isolated, saved like other state; bad documents are rejected.
import { describe, expect, test } from 'vitest';
import { bounds } from '../../../src/contract/control/bounds.ts';
import type { HarDocument } from '../../../src/contract/control/requests.ts';
import { createChaosStore } from '../../support/chaos-store.ts';
import { bearer, controlled, failureOf } from '../../support/control.ts';
import { evidence, harOf, reportOf } from '../../support/recordings.ts';
import { testStage } from '../../support/stage.ts';
import { pieces } from '../../support/wire.ts';

const path = '/sandboxes/stage/observations';

/** A sandbox that has recorded two pages of its own fulfillments. */
async function recorded(options: Parameters<typeof testStage>[0] = {}) {
  const world = await testStage(options);
  await world.client.get('/v2/fulfillments?limit=1');
  await world.client.get('/v2/fulfillments?limit=2');
  const har = (await world.stage.requests.har()) as HarDocument;
  return { ...world, har, ...controlled({}, world.sachet) };
}

const seenIn = (report: { readonly observations: readonly { readonly assumption: string }[] }, id: string) =>
  report.observations.find(({ assumption }) => assumption === id);

describe('a recording', () => {
  test('of the sandbox itself settles its choices without findings, in any order of the entries', async () => {
    const { stage, har } = await recorded({ assumptions: { next_cursor: 'meta' } });
    const report = await stage.observations.learn(har, { source: 'own.har' });
    expect(report).toMatchObject({ calls: 3, findings: [] });
    expect(seenIn(report, 'next_cursor')).toMatchObject({
      allowed: ['meta'],
      evidence: { source: 'own.har', call: expect.stringMatching(/^GET \/v2\/fulfillments/) },
    });
    expect(await stage.observations.get()).toEqual(report);
    const shuffled = { log: { ...har.log, entries: har.log.entries.toReversed() } };
    expect(await stage.observations.learn(shuffled, { source: 'own.har' })).toEqual(report);
    expect((await stage.assumptions.get()).next_cursor).toBe('meta');
  });

  test('replaces the one before, and is named upload.har without a name', async () => {
    const { stage, har } = await recorded();
    await stage.observations.learn(har, { source: 'first.har' });
    const { observations } = await stage.observations.learn(har);
    const sources = new Set(observations.flatMap((one) => (one.evidence ? [one.evidence.source] : [])));
    expect([...sources]).toEqual(['upload.har']);
  });

  test('with answers that the contract excludes has findings without secrets', async () => {
    const { stage } = await testStage();
    const { findings } = await stage.observations.learn(
      harOf({
        call: 'POST https://real.example/v2/authentication/token',
        sent: { username: 'ann', password: 'hunter2-hunter2' },
        status: 418,
        body: { statusCode: 418, error: 'Teapot', message: 'No', access_token: 'secret-secret-secret' },
      }),
    );
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ count: 1, evidence: { source: 'upload.har' } });
    for (const message of [findings[0]?.request, findings[0]?.answer]) {
      expect(message).toContain('[redacted ');
      expect(message).not.toMatch(/hunter2|secret-secret/);
    }
  });

  test('without calls, without a log or without calls of the service is rejected, and nothing changes', async () => {
    const { stage, har, admin } = await recorded();
    const before = await stage.observations.learn(har);
    const har2 =
      'a HAR document, {"log": {"entries": […]}}, with at least one entry; browsers save one in their network tab';
    for (const [body, message] of [
      [{}, `log: found nothing, expected ${har2}`],
      [{ log: [] }, `log: found [], expected ${har2}`],
      [{ log: {} }, `log.entries: found nothing, expected ${har2}`],
      [{ log: { entries: [] } }, `log.entries: found [], expected ${har2}`],
      [
        { log: { entries: [null, 5, {}] } },
        expect.stringContaining('no answered call of the service, such as GET …/v2/orders. Record'),
      ],
      [
        harOf({ call: 'GET https://real.example/health', status: 200, body: {} }),
        expect.stringContaining('no answered call of the service'),
      ],
      [
        harOf({ call: 'GET https://real.example/v2/unheard-of', status: 404, body: {} }),
        expect.stringContaining('1 left out: a path or method that the contract does not have'),
      ],
    ] as const)
      expect(failureOf(await admin('POST', path, body))).toEqual([422, message]);
    expect(failureOf(await admin('POST', `${path}?source=`, har))[0]).toBe(400);
    expect(await stage.observations.get()).toEqual(before);
  });

  test('that is too large is rejected with the command that takes it', async () => {
    const { admin } = controlled();
    const blanks = ' '.repeat(65_536);
    const raw = pieces('{}', ...Array<string>(bounds.stateBytes / blanks.length).fill(blanks));
    const headers = { 'content-type': 'application/json' };
    expect(failureOf(await admin('POST', path, undefined, { raw, headers }))).toEqual([
      413,
      'The body is too large; this operation accepts at most 67108864 bytes; read larger recordings with `sachet learn`',
    ]);
  });

  test('belongs to one sandbox, whose own key may send it', async () => {
    const { sachet, har, stage } = await recorded();
    const { key } = await sachet.control.create({ name: 'own', own_key: true });
    const { input } = controlled({}, sachet);
    const init = { body: har, headers: bearer(String(key)) };
    expect((await input('POST', '/_admin/sandboxes/own/observations', init)).body.calls).toBe(3);
    expect((await input('POST', `/_admin${path}`, init)).status).toBe(401);
    expect((await stage.observations.get()).calls).toBe(0);
  });
});

describe('observations', () => {
  test('are empty at the start, and after they are cleared', async () => {
    const { stage, har } = await recorded();
    const empty = await stage.observations.get();
    expect(empty).toMatchObject({ calls: 0, findings: [], facts: {} });
    expect(empty.observations.every((one) => one.evidence === null)).toBe(true);
    await stage.observations.learn(har);
    await stage.observations.clear();
    expect(await stage.observations.get()).toEqual(empty);
  });

  test('are part of snapshots and exports; a reset and an older export have none', async () => {
    const { stage, har, sachet } = await recorded();
    const older = await stage.state.get();
    expect(older.observations).toBeUndefined();
    const report = await stage.observations.learn(har);
    await stage.snapshots.create({ name: 'learned' });
    const newer = await stage.state.get();
    await stage.reset();
    expect((await stage.observations.get()).calls).toBe(0);
    await stage.snapshots.restore('learned');
    expect(await stage.observations.get()).toEqual(report);
    await stage.state.put(older);
    expect((await stage.observations.get()).calls).toBe(0);
    const other = sachet.control.sandbox('production');
    await other.state.put(newer);
    expect(await other.observations.get()).toEqual(report);
  });

  test('survive a restart', async () => {
    const store = createChaosStore();
    const { stage, har } = await recorded({ store });
    const report = await stage.observations.learn(har);
    const restarted = await testStage({ store });
    expect(await restarted.stage.observations.get()).toEqual(report);
  });

  test('of an imported document are checked', async () => {
    const { stage } = await testStage();
    const document = await stage.state.get();
    const observations = reportOf({ next_cursor: { allowed: ['meta'], evidence } });
    await stage.state.put({ ...document, observations });
    expect(await stage.observations.get()).toEqual(observations);
    const wrong = { ...document, observations: { ...observations, calls: -1 } };
    await expect(stage.state.put(wrong)).rejects.toThrow('observations.calls');
  });
});
