// What can become of a package: for each status exactly the buttons of what is possible, the others by force, and each of them does it.
import { describe, expect, test } from 'vitest';
import { consoleOf } from '../support/console.ts';
import { labelled } from '../support/labels.ts';
import {
  operated,
  type PackageAction,
  type PackageStatus,
  packageActions,
  packageStatuses,
} from '../support/operator.ts';
import { unknownId } from '../support/order-requests.ts';
import { press } from '../support/pressed.ts';

const possible: Readonly<Record<PackageStatus, readonly PackageAction[]>> = {
  label_created: ['pick_up'],
  picked_up: ['depart', 'delay', 'deliver', 'lose', 'return'],
  in_transit: ['delay', 'deliver', 'lose', 'return'],
  delayed: ['depart', 'deliver', 'lose', 'return'],
  delivered: ['return'],
  lost: ['depart', 'return'],
  returned: [],
};
const becomes: Readonly<Record<PackageAction, PackageStatus>> = {
  pick_up: 'picked_up',
  depart: 'in_transit',
  delay: 'delayed',
  deliver: 'delivered',
  lose: 'lost',
  return: 'returned',
};
const words: Readonly<Record<PackageAction, readonly [label: string, done: string]>> = {
  pick_up: ['Pick up', 'Package picked up'],
  depart: ['Depart', 'Package on its way'],
  delay: ['Delay', 'Package delayed'],
  deliver: ['Deliver', 'Package delivered'],
  lose: ['Lose', 'Package lost'],
  return: ['Return', 'Package returned'],
};

async function page() {
  const world = await operated();
  const seen = consoleOf(world.sachet);
  return { ...world, seen, open: (id: string) => seen.see(`fulfillments/${id}`) };
}

const buttonsIn = (html: string, about: string): string[] =>
  Array.from(html.matchAll(new RegExp(`<button[^>]*aria-label="([^"]*) ${about}"`, 'g')), ([, label = '']) => label);
const labelsOf = (actions: readonly PackageAction[]): string[] => actions.map((action) => words[action][0]);

describe.each(packageStatuses)('of a package that is %s', (status) => {
  const others = packageActions.filter((action) => !possible[status].includes(action));

  test('exactly what is possible is a button, and the others are buttons skipping the checks', async () => {
    const world = await page();
    const { html, text } = await world.open(await world.packageIn(status));
    expect(buttonsIn(html, 'the package').toSorted()).toEqual(labelsOf(possible[status]).toSorted());
    expect(buttonsIn(html, 'the package, skipping the checks').toSorted()).toEqual(labelsOf(others).toSorted());
    expect(text.includes('no action is left')).toBe(possible[status].length === 0);
    // What is behind the fold skips the checks, what is before it does not.
    const [before = '', behind = ''] = html.split('<details id="forced">');
    expect(before).not.toContain('name="force:json"');
    expect(behind.match(/name="force:json"/g)).toHaveLength(others.length);
  });

  test.each([...possible[status]])('pressing %s does it', async (action) => {
    const world = await page();
    const id = await world.packageIn(status);
    const [label, done] = words[action];
    const answer = await press(world.seen, (await world.open(id)).html, label);
    expect([answer.status, answer.text]).toEqual([200, `${done}.`]);
    expect((await world.package(id)).status_id).toBe(becomes[action]);
  });

  test.each(others)('%s is refused in words, and done by its button skipping the checks', async (action) => {
    const world = await page();
    const id = await world.packageIn(status);
    const refused = await world.seen.act(`fulfillments.${action}`, {}, { id });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining(`${action} is impossible: the package is ${status}`),
    ]);
    expect((await world.package(id)).status_id).toBe(status);
    const [label, done] = words[action];
    const forced = await press(world.seen, (await world.open(id)).html, label);
    expect([forced.status, forced.text]).toEqual([200, `${done}, skipping the checks.`]);
    expect((await world.package(id)).status_id).toBe(becomes[action]);
  });
});

test('of a status of the fixtures’ own nothing follows by itself, all is possible skipping the checks', async () => {
  const world = await page();
  const { id = '' } = labelled ?? {};
  await world.stage.records.fulfillment_statuses.create({ id: 'customs', uuid: unknownId, name: 'At customs' });
  await world.stage.records.fulfillments.update(id, { status_id: 'customs' });
  const { html, text } = await world.open(id);
  expect(text).toContain('The package is At customs: no action is left.');
  expect(buttonsIn(html, 'the package, skipping the checks')).toHaveLength(packageActions.length);
  await press(world.seen, html, 'Deliver');
  expect((await world.package(id)).status_id).toBe('delivered');
});
