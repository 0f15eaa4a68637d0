// What the library holds of the shipped fixtures and scenarios is what stands in their folders.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSachet } from '../../src/create-sachet.ts';
import { loadFixtures, loadScenarios } from '../../src/node/load-files.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { shippedFixtures, shippedScenarios } from '../../src/shipped.ts';
import { root } from '../support/command.ts';
import { shippedFiles } from '../support/shipped-files.ts';
import { factsOf } from '../support/source-facts.ts';

const source = readFileSync(join(root, 'src/shipped.ts'), 'utf8');
const imported = factsOf({ path: 'src/shipped.ts', text: source }).imports.map(({ what }) => what);

test.each(['fixtures', 'scenarios'] as const)('every file of %s/ is imported, and no other', (folder) => {
  const named = imported.filter((target) => target.startsWith(`../${folder}/`)).map((target) => target.slice(3));
  expect(named.sort()).toEqual(shippedFiles(folder).map(({ name }) => name));
});

test('they are what the folders give', () => {
  expect(shippedFixtures()).toEqual(loadFixtures(join(root, 'fixtures')));
  const byName = [...shippedScenarios()].sort((one, other) => (one.name < other.name ? -1 : 1));
  expect(byName).toEqual(loadScenarios(join(root, 'scenarios')));
});

test('each scenario can be begun with', async () => {
  const sachet = createSachet();
  for (const { name } of shippedScenarios()) {
    await using sandbox = await sachet.createSandbox({ scenario: name });
    const applied = (await sandbox.scenarios.list()).scenarios.filter(({ applied_at }) => applied_at !== null);
    expect(applied.map((scenario) => scenario.name)).toEqual([name]);
  }
});

test('the sample order is taken, and its fields can be changed, each whole', async () => {
  const client = (await createSachet().createSandbox()).client();
  const answer = await client.post('/v2/orders', sampleOrder());
  expect([answer.status, (await answer.json()).order.status]).toEqual([201, 'Pending']);
  expect((await client.post('/v2/orders', sampleOrder({ order_lines: [] }))).status).toBe(422);
  expect(sampleOrder({ consumer: { id: '1' } }).consumer).toEqual({ id: '1' });
});

test('each sample order is an object of its own, which a test may change in place', () => {
  const [one, other] = [sampleOrder(), sampleOrder()];
  for (const field of ['consumer', 'shipping_address', 'order_lines'] as const)
    expect(one[field], field).not.toBe(other[field]);
});
