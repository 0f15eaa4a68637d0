// The tracking page of a package: public at its tracking_url, with what happened to the package, and no script.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Page } from '../../src/http/markup.ts';
import { noSuchSandboxPage } from '../../src/http/plain-page.ts';
import { noSuchPackagePage, trackingPage } from '../../src/http/tracking.ts';
import { type OperatorStage, operatorStage, seen } from '../support/operator.ts';
import { fixtures, hour } from '../support/sachet.ts';
import { tracked } from '../support/tracked-package.ts';

async function open({ sachet }: Pick<OperatorStage, 'sachet'>, url: string, method = 'GET') {
  const { status, text, headers } = await sachet.call(method, url);
  const [, heading] = /<h1[^>]*>([^<]*)</.exec(text) ?? [];
  const events = Array.from(text.matchAll(/<li>([^<]*?) <time datetime="([^"]*)"/g), ([, name, at]) => [name, at]);
  const steps = Array.from(text.matchAll(/<li class="done"[^>]*>([^<]*)</g), ([, name]) => name);
  return { status, text, headers, heading, events, steps };
}
const stepIds = ['label_created', 'picked_up', 'in_transit', 'delivered'];
function recordOf<Name extends 'brands' | 'consumers' | 'orders'>(name: Name, id: string) {
  const found = fixtures[name].find((record) => record.id === id);
  if (!found) throw new Error(`The fixtures lack ${id}.`);
  return found as (typeof fixtures)[Name][number];
}
const urlOf = async (world: OperatorStage, id: string): Promise<string> =>
  (await seen(world, id)).tracking_info.tracking_url;

test('the events of a package are its last 100 moves, the newest first, by the clock of the sandbox', async () => {
  const world = await operatorStage();
  const id = await world.packageIn('label_created');
  const at = [(await world.stage.clock.get()).now];
  for (const [index, action] of ['pick_up', 'depart', 'delay', 'deliver'].entries()) {
    await world.setTo((index + 1) * hour);
    at.push((await world.move(id, action)).body.updated_at);
  }
  const url = await urlOf(world, id);
  const { status, heading, events } = await open(world, url);
  expect([status, heading]).toEqual([200, 'Delivered']);
  const names = ['Label Created', 'Picked Up', 'In Transit', 'Delayed', 'Delivered'];
  expect(events).toEqual(names.map((name, index) => [name, at[index]]).reverse());
  // A change of the record is no event, and the clock may be set back.
  await world.stage.records.fulfillments.update(id, { weight: 7 });
  await world.setTo(-hour);
  const later = await open(world, url);
  expect([later.heading, later.events]).toEqual([heading, events]);
  for (let n = 0; n < 102; n += 1) await world.move(id, n % 2 ? 'depart' : 'lose', { force: true });
  const { events: last } = await open(world, url);
  // The three dates of the record stay, too.
  expect([last.length, last[0]?.[0]]).toEqual([103, 'In Transit']);
});

test('the events of a package of the fixtures are the dates of the record', async () => {
  const world = await operatorStage();
  for (const { id, tracking_info, status_id, ...dates } of fixtures.fulfillments) {
    if (!tracking_info) continue;
    const { heading, events, steps, text } = await open(world, `/_tracking/${tracking_info.tracking_number}`);
    const status = fixtures.fulfillment_statuses.find((one) => one.id === status_id)?.name;
    const { created_at, pickup_date, delivery_date, updated_at } = dates;
    const hasDate = ['label_created', 'picked_up', 'delivered'].includes(status_id);
    const all = [created_at, pickup_date, delivery_date, hasDate ? null : updated_at].filter((at) => at !== null);
    expect([heading, events.map(([, at]) => at)], id).toEqual([status, all.toSorted().reverse()]);
    const isLate = ['delayed', 'lost', 'returned'].includes(status_id);
    const reached = isLate ? 'picked_up' : status_id;
    expect([steps.length, text.includes('class="steps problem"')], id).toEqual([stepIds.indexOf(reached) + 1, isLate]);
  }
});

test('a page has the brand and the city of the addressee, and neither name nor street', async () => {
  const world = await operatorStage();
  for (const { brand_id, order_id, consumer_id, tracking_info } of fixtures.fulfillments) {
    if (!tracking_info) continue;
    const { text } = await open(world, `/_tracking/${tracking_info.tracking_number}`);
    const { city, country_name, address1, postal_code } = recordOf('orders', order_id).shipping_address;
    const { last_name, email } = recordOf('consumers', consumer_id);
    expect(text).toContain(`<p class="brand">${recordOf('brands', brand_id).name}</p>`);
    expect(text).toContain(`<dt>Destination</dt><dd>${city}, ${country_name}</dd>`);
    for (const secret of [address1, postal_code, last_name, email]) expect(text).not.toContain(secret ?? 'unknown');
  }
});

test('a page is below the base URL of the sandbox or the plain one; HEAD works, faults do not apply', async () => {
  const world = await operatorStage();
  const url = await urlOf(world, await world.packageIn('picked_up'));
  expect(url).toMatch(/^http:\/\/localhost:4010\/sandboxes\/stage\/_tracking\/\w+$/);
  await world.stage.switches.set({ maintenance: { for_seconds: 60 } });
  const page = await open(world, url);
  const entry = (await world.stage.requests.list()).requests.at(-1);
  expect([page.status, entry?.id]).toEqual([200, page.headers.get('sandbox-request-id')]);
  expect(entry).toMatchObject({ operation: null, status: 200, decision: { stage: 'tracking' } });
  expect((await open(world, url.replace('/sandboxes/stage', ''))).text).toBe(page.text);
  const head = await open(world, url, 'HEAD');
  expect([head.status, head.text]).toEqual([200, '']);
});

test('its address is below the public URL, or at the carrier if it had a public page when the package was shipped', async () => {
  const world = await operatorStage({ publicUrl: 'https://demo.example/partners' });
  const before = await world.packageIn('picked_up');
  const tracking_url = 'https://www.ups.com/track?tracknum={tracking_number}';
  await world.stage.records.carriers.update('ups', { tracking_url });
  const { body } = await world.ship(await world.inProduction(), { carrier: 'ups' });
  const { tracking_number } = body.tracking_info;
  expect(await urlOf(world, body.id)).toBe(`https://www.ups.com/track?tracknum=${tracking_number}`);
  expect(await urlOf(world, before)).toMatch(/^https:\/\/demo\.example\/partners\/sandboxes\/stage\/_tracking\//);
});

test('a page of no package, of another sandbox, or with another method is 404', async () => {
  const world = await operatorStage();
  const url = await urlOf(world, await world.packageIn('picked_up'));
  for (const number of ['nobody', '%3Cscript%3E', '%2e%2e%2f', 'a%00b', '%zz', '9'.repeat(10_000)]) {
    const { status, heading, text } = await open(world, `/_tracking/${number}`);
    expect([status, heading, text.includes('<script')], number).toEqual([404, 'Package not found', false]);
    const [last] = (await world.stage.requests.list()).requests.slice(-1);
    expect(last).toMatchObject({ rules: ['unknown_package'] });
    expect(last?.decision?.reason).toMatch(/^no package has the tracking number ".{1,80}"$/u);
  }
  const headingIn = async (name: string) => (await open(world, url.replace('/stage/', `/${name}/`))).heading;
  expect([await headingIn('production'), await headingIn('nobody')]).toEqual([
    'Package not found',
    'Sandbox not found',
  ]);
  for (const method of ['POST', 'PUT', 'DELETE']) expect((await open(world, url, method)).status, method).toBe(404);
});

describe('the markup', () => {
  const textOf = ({ body }: Page): string =>
    body
      .replace(/<style>[\s\S]*<\/style>/, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');

  test('shows number, carrier, order, delivery, events and the clock of the sandbox', () => {
    const page = trackingPage(tracked);
    expect(page.body).toContain('<title>Delivered – UPS 1ZA10E830367228528</title>');
    expect(textOf(page)).toContain(
      'Tracking number 1ZA10E830367228528 Carrier UPS Service Ground Order 100017 Destination Springfield, United States Delivered Nov 20, 2026, 09:30:15 UTC',
    );
    expect(textOf(page)).toContain('the sandbox “stage”, which shows Nov 20, 2026, 12:00:00 UTC');
    expect(page.body).toContain(
      '<li>Picked up <time datetime="2026-11-18T16:05:00.000Z" title="2026-11-18T16:05:00.000Z">Nov 18, 2026, 16:05:00 UTC</time></li>',
    );
    expect(page.body).toContain('<li class="done" aria-current="step">Delivered</li>');
    const empty = trackingPage({ ...tracked, status: 'In transit', events: [], deliveredAt: null });
    expect(empty.body).not.toMatch(/<dt>Delivered|<ol reversed/);
    expect(textOf(empty)).toContain('History Nothing has been reported yet.');
  });

  test('of each page loads and runs nothing, is not cached, and has the style that its policy allows', () => {
    for (const page of [trackingPage(tracked), noSuchPackagePage('1Z'), noSuchSandboxPage('w1')]) {
      expect(page.body).toMatch(/^<!doctype html>\n<html lang="en">/);
      for (const name of ['title', 'main', 'h1', 'footer', 'style'])
        expect(page.body.match(new RegExp(`<${name}\\b`, 'g')), name).toHaveLength(1);
      expect(page.body).not.toMatch(/<script|<form|<a |\son\w+=|style="|src=|https?:|url\(|@import/i);
      expect(page.body.match(/href="[^"]*"/g)).toEqual([expect.stringMatching(/^href="data:image\/svg\+xml,/)]);
      const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page.body) ?? [];
      const hash = createHash('sha256').update(style).digest('base64');
      expect(page.headers).toEqual({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`,
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
    }
  });

  test('escapes every value', () => {
    const value = `<script>alert('1')</script><!--" & ' &amp;`;
    const all = { carrier: value, method: value, trackingNumber: value, status: value, sandbox: value };
    const progress = { ...tracked.progress, steps: [value] };
    const more = { brand: value, destination: value, progress, orderNumber: value };
    const hostile = { ...tracked, ...all, ...more, events: [{ at: tracked.now, name: value }] };
    const asText = '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&lt;!--&quot; &amp; &#39; &amp;amp;';
    const pages = [trackingPage(hostile), noSuchPackagePage(value), noSuchSandboxPage(value)];
    expect(pages.map(({ body }) => body.split(asText).length - 1)).toEqual([13, 1, 1]);
  });
});
