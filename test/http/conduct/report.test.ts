// The conduct report: each rule with a client that keeps it and one that breaks it, and when it begins anew.
import { describe, expect, test } from 'vitest';
import { conduct, conductRuleIds } from '../../../src/contract/control/conduct.ts';
import { conductClients } from '../../support/conduct/clients.ts';
import { judged } from '../../support/conduct/judged.ts';

test('all rules are reported in their order, and none is exercised by nobody', async () => {
  const { stage } = await judged();
  await stage.reset();
  const { rules } = await stage.report.get();
  expect(rules.map(({ id }) => id)).toEqual(conductRuleIds);
  for (const { id, ...told } of rules) {
    const advice = `${conduct[id]}.`;
    expect(told, id).toEqual({ outcome: 'not_exercised', evidence: [], advice });
  }
});

describe.each(conductRuleIds)('%s', (id) => {
  test('passes for a client that keeps it', async () => {
    const world = await judged();
    const evidence = await conductClients[id].right(world);
    const { outcome, advice, evidence: told } = await world.ruled(id);
    expect([outcome, advice]).toEqual(['pass', expect.stringMatching(/^[A-Z][^;]+\.$/)]);
    if (evidence) expect(told).toEqual(evidence);
    expect(told.length).toBeGreaterThan(0);
  });

  test('fails for a client that breaks it', async () => {
    const world = await judged();
    const evidence = await conductClients[id].wrong(world);
    const { outcome, advice, evidence: told } = await world.ruled(id);
    expect([outcome, advice]).toEqual(['fail', expect.stringMatching(/^The client [^;]+\. [A-Z].+\.$/)]);
    if (evidence) expect(told).toEqual(evidence);
    expect(told.length).toBeGreaterThan(0);
  });

  test('has evidence that the journal knows', async () => {
    const world = await judged();
    await conductClients[id].wrong(world);
    for (const request of (await world.ruled(id)).evidence)
      expect((await world.stage.requests.get(request)).id).toBe(request);
  });

  test('begins anew with a reset, and when the requests are forgotten', async () => {
    const world = await judged();
    for (const forget of [() => world.stage.reset(), () => world.stage.requests.clear()]) {
      await conductClients[id].wrong(world);
      expect((await world.ruled(id)).outcome).toBe('fail');
      await forget();
      expect(await world.ruled(id)).toMatchObject({ outcome: 'not_exercised', evidence: [] });
    }
  });
});

test('what a client did is forgotten by no snapshot that is restored', async () => {
  const world = await judged();
  await world.stage.snapshots.create({ name: 'base' });
  await conductClients.documented_fields.wrong(world);
  await world.stage.snapshots.restore('base');
  expect((await world.ruled('documented_fields')).outcome).toBe('fail');
});

test('each sandbox has a report of its own', async () => {
  const world = await judged();
  await conductClients.documented_fields.wrong(world);
  await world.sachet.control.create({ name: 'w7' });
  const { rules } = await world.sachet.control.sandbox('w7').report.get();
  expect(new Set(rules.map(({ outcome }) => outcome))).toEqual(new Set(['not_exercised']));
});

test('asking for the report changes nothing', async () => {
  const reports = [true, false].map(async (asks) => {
    const world = await judged();
    await world.stage.requests.clear();
    await world.expireTokens();
    for (let n = 0; n < 2; n += 1) await world.client.get('/v2/products');
    if (asks) for (let n = 0; n < 3; n += 1) await world.stage.report.get();
    await (await world.renewed()).get('/v2/products');
    const { rules } = await world.stage.report.get();
    return rules.map(({ id, outcome }) => [id, outcome]);
  });
  const [asked, unasked] = await Promise.all(reports);
  expect(asked).toEqual(unasked);
});
