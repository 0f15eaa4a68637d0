// Fulfillments: the list, one package with its history and label, and the operator's actions on it.
import { expect, test } from 'vitest';
import type { RecordOf } from '../../src/contract/records.ts';
import { statusOf } from '../../src/domain/fulfillments.ts';
import { formatTime } from '../../src/http/markup.ts';
import { labelled } from '../support/labels.ts';
import {
  allowedActions,
  operatorStage,
  type PackageAction,
  packageActions,
  packageStatuses,
} from '../support/operator.ts';
import { unknownId } from '../support/order-requests.ts';
import { fixtures, hour } from '../support/sachet.ts';
import { allOf, buttonsIn, consoleOf, idsIn, linkIn } from './console.ts';

const shown = labelled as RecordOf<'fulfillments'>;

async function page(options: Parameters<typeof operatorStage>[0] = {}) {
  const world = await operatorStage(options);
  const seen = consoleOf(world.sachet);
  return { ...world, seen, open: (id: string) => seen.see(`fulfillments/${id}`) };
}

/** The target of the link with this text, outside the console. */
const urlIn = (html: string, text: string): string =>
  allOf(html, new RegExp(`<a href="([^"]*)"[^>]*>\\s*${text}\\s*</a>`, 'g'))[0] ?? '';

test('the list has the packages of all brands, newest first, with status, order, carrier and time', async () => {
  const { seen, stage, packageIn } = await page();
  const id = await packageIn('picked_up');
  const { html, text } = await seen.see('fulfillments');
  const { fulfillments } = await stage.records.fulfillments.list();
  expect(idsIn(html, 'fulfillment')).toEqual(fulfillments.map((one) => one.id).toReversed());
  const { order_id, tracking_info: tracking } = await stage.records.fulfillments.get(id);
  expect(text).toContain(`${fixtures.fulfillments.length + 1} packages`);
  for (const part of [
    `${id} ▸ Picked Up `,
    `${order_id.slice(0, 8)}…${order_id.slice(-4)} ${tracking?.shipping_carrier} ${tracking?.tracking_number} Nov 20, 2026, 12:00:00 UTC`,
  ])
    expect(text).toContain(part);
  expect(linkIn(html, id)).toBe(`fulfillments/${id}`);
  expect(html).toContain(`href="stage/orders/${order_id}"`);
  await stage.records.fulfillments.update(id, { tracking_info: null });
  expect((await seen.see('fulfillments')).text).toContain('none assigned');
});

test('a package has contents, shipment, carrier, dates and history', async () => {
  const { open } = await page();
  const { text, html } = await open(shown.id);
  const { tracking_info: tracking } = shown;
  const dates = [shown.created_at, shown.pickup_date, shown.delivery_date, shown.updated_at];
  const [created, picked, delivered, updated] = dates.map((at) => formatTime(at ?? ''));
  for (const part of [
    `Fulfillment ${shown.id} ✓ Delivered`,
    `Contents ${shown.order_lines.map(({ name }) => name).join(', ')} Shipment`,
    `${shown.shipment_order_number} (${shown.shipment_order_id}) Carrier ${tracking?.shipping_carrier}, ${tracking?.shipping_method}`,
    `Tracking ${tracking?.tracking_number} Tracking page Weight ${shown.weight} g Shipping charge ${shown.shipping_net_charge}`,
    `Created ${created} Picked up ${picked} Delivered ${delivered} Last change ${updated}`,
    `History ${created} Label Created ${picked} Picked Up ${delivered} Delivered Label`,
  ])
    expect(text).toContain(part);
  expect(linkIn(html, shown.order_id)).toBe(`orders/${shown.order_id}`);
});

test('a package without a carrier has no tracking page; a missing one is a 404', async () => {
  const { open, ship, inProduction } = await page();
  const { body } = await ship(await inProduction(), { carrier: null });
  const { text, html } = await open(body.id);
  for (const part of ['Carrier none assigned yet', 'Picked up not yet', 'Delivered not yet'])
    expect(text).toContain(part);
  expect(html).not.toContain('Tracking page');
  expect(html).toContain('aria-label="Shipping label: carrier not assigned;');
  const missing = await open(unknownId);
  expect([missing.status, missing.text]).toEqual([404, expect.stringContaining(unknownId)]);
});

test('a package shows each step with its time', async () => {
  const { open, packageIn, setTo, move } = await page();
  const id = await packageIn('label_created');
  for (const [at, action] of ['pick_up', 'depart', 'delay', 'deliver', 'return'].entries()) {
    await setTo((at + 1) * hour);
    await move(id, action);
  }
  const names = ['Label Created', 'Picked Up', 'In Transit', 'Delayed', 'Delivered', 'Returned'];
  const history = names.map((name, at) => `Nov 20, 2026, ${12 + at}:00:00 UTC ${name}`);
  expect((await open(id)).text).toContain(`History ${history.join(' ')} Label`);
});

test.each([undefined, 'https://demo.example/partners/sachet'])(
  'label and tracking page have the URLs that a client gets, also with the public URL %s',
  async (publicUrl) => {
    const { open, client, sachet } = await page(publicUrl === undefined ? {} : { publicUrl });
    const { html } = await open(shown.id);
    const { fulfillment } = (await client.get(`/v2/fulfillments/${shown.id}`)).body;
    const tracking = urlIn(html, 'Tracking page');
    expect(fulfillment.label_url.startsWith(publicUrl ?? 'http://localhost:4010/')).toBe(true);
    expect(urlIn(html, 'Label URL for clients')).toBe(fulfillment.label_url);
    expect(tracking).toBe(fulfillment.tracking_info.tracking_url);
    expect(html).toContain('target="_blank" rel="noopener noreferrer"');
    if (publicUrl === undefined) expect((await sachet.call('GET', tracking)).status).toBe(200);
  },
);

test('the label URL is valid until the time that the page shows', async () => {
  const { open, stage, setTo, sachet } = await page();
  await setTo(1);
  const { html } = await open(shown.id);
  const url = urlIn(html, 'Label URL for clients');
  const [until = ''] = allOf(html, /valid until\s*<time datetime="([^"]*)"/g);
  expect(Date.parse(until) - Date.parse((await stage.clock.get()).now)).toBe(899_999);
  await stage.clock.set({ now: new Date(Date.parse(until) - 1).toISOString() });
  expect((await sachet.call('GET', url)).status).toBe(200);
  await stage.clock.set({ now: until });
  expect((await sachet.call('GET', url)).status).toBe(403);
});

const labels: Readonly<Record<PackageAction, string>> = {
  pick_up: 'Pick up',
  depart: 'Depart',
  delay: 'Delay',
  deliver: 'Deliver',
  lose: 'Lose',
  return: 'Return',
};
const labelsOf = (some: readonly PackageAction[]): string[] => some.map((action) => labels[action]).sort();

test.each(packageStatuses)(
  'a package that is %s has a button for each action, some skip the checks',
  async (status) => {
    const { seen, open, stage, packageIn } = await page();
    const others = packageActions.filter((action) => !allowedActions[status].includes(action));
    const id = await packageIn(status);
    const { html, text } = await open(id);
    expect(buttonsIn(html, 'the package').sort()).toEqual(labelsOf(allowedActions[status]));
    expect(buttonsIn(html, 'the package, skipping the checks').sort()).toEqual(labelsOf(others));
    expect(text.includes('no action is left')).toBe(allowedActions[status].length === 0);
    const [before = '', forced = ''] = html.split('<details id="forced">');
    expect(before).not.toContain('name="force:json"');
    expect(forced.match(/name="force:json"/g)).toHaveLength(others.length);
    for (const action of packageActions) {
      expect((await seen.press(html, labels[action])).status, action).toBe(200);
      expect((await stage.records.fulfillments.get(id)).status_id).toBe(statusOf[action]);
      await stage.records.fulfillments.update(id, { status_id: status });
    }
  },
);
