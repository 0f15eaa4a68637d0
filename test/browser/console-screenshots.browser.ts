// Every page of the console, in light and dark: its accessibility, and its layout on a phone. UPDATE_DOCS=1 writes screenshots to docs/console.
// docs/guide/console.md must show all of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { pageIds } from '../../src/console/page-addresses.ts';
import { type Sachet, sampleOrder } from '../../src/index.ts';
import { root } from '../support/command.ts';
import { expectOwn, openConsole, settled, sidewaysOf, startServer, violationsOf, visit } from './browser.ts';

const kept = join(root, 'docs/console');
const server = await startServer();
afterAll(() => server.close());

/** Fills stage as a partner's first day might. Returns the paths of all pages by name. */
async function fillStage(sachet: Sachet): Promise<Record<string, string>> {
  const stage = sachet.sandbox('stage');
  const client = stage.client({ username: 'demo', password: 'sachet-demo' });
  const { order } = await (await client.post('/v2/orders', sampleOrder())).json();
  const address = { ...sampleOrder().shipping_address, address1: `${'Rua das Flores '.repeat(8)}1` };
  await client.post('/v2/orders', sampleOrder({ shipping_address: address }));
  await client.get('/v2/fulfillments?limit=2');
  await client.get('/v2/fulfillments?limit=all');
  await client.get(`/v2/orders/${order.id}?verbose=1`);
  await stage.fetch('/v2/products');
  await stage.switches.set({ rate_limit: { burst: 3 }, token_expiry: { lifetime_seconds: 120 } });
  await client.get('/v2/products');
  const match = { operation: 'orders.create' } as const;
  await stage.switches.set({ connection: { drop: 'after_processing', burst: 2, match }, rate_limit: null });
  await client.post('/v2/orders', sampleOrder()).catch(() => undefined);
  await stage.scenarios.apply('label-expiry');
  const { fulfillments } = await stage.records.fulfillments.list();
  const { orders } = await stage.records.orders.list();
  const { requests } = await stage.requests.list({ status: 422 });
  return {
    ...Object.fromEntries(pageIds.map((page) => [page, `stage/${page}`])),
    request: `stage/requests/${requests[0]?.id}`,
    order: `stage/orders/${orders.find(({ status }) => status === 'In Production')?.id}`,
    fulfillment: `stage/fulfillments/${fulfillments.find(({ status_id }) => status_id === 'in_transit')?.id}`,
  };
}

/** Lists accessibility problems, and sideways scrolling on a desktop and on a phone. In the dark only colors differ. */
async function problemsOf(page: Page, screenshot?: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [colorScheme, rules] of [['light'], ['dark', ['color-contrast']]] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => {
      for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
    });
    if (screenshot && process.env.UPDATE_DOCS)
      await page.screenshot({ path: join(kept, `${screenshot}-${colorScheme}.png`), animations: 'disabled' });
    problems.push(...(await violationsOf(page, rules)));
  }
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const sideways = await sidewaysOf(page);
    if (sideways > 0) problems.push(`${sideways} px sideways at ${width} px`);
  }
  return problems.map((problem) => `${page.url()}: ${problem}`);
}

test('every page has its screenshots, and no accessibility or layout problem', async () => {
  const paths = await fillStage(server);
  const seen = await openConsole(server, 'stage/requests', undefined, { viewport: { width: 1280, height: 800 } });
  const { page } = seen;
  const problems: string[] = [];
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(`${server.baseUrl}/_console/${path}`);
    await settled(page);
    problems.push(...(await problemsOf(page, name)));
  }
  await page.goto(`${server.baseUrl}/_console/stage/requests`);
  await settled(page);
  await page.locator('#rows a').first().click();
  await page.getByRole('dialog').getByText('Send it again').waitFor();
  problems.push(...(await problemsOf(page)));
  expect(problems).toEqual([]);
  expectOwn(seen, server.baseUrl);
  const files = Object.keys(paths).flatMap((name) => [`${name}-dark.png`, `${name}-light.png`]);
  expect(readdirSync(kept).sort()).toEqual(files.sort());
  const guide = readFileSync(join(root, 'docs/guide/console.md'), 'utf8');
  expect(guide.match(/(?<="\.\.\/console\/)[\w-]+\.png/g)?.sort()).toEqual(files);
});

test('an empty sandbox, a missing one, an unknown page and the dialog for the key have no problem', async () => {
  const fixtures = { orders: [], fulfillments: [], products: [], pags: [], packs: [], consumers: [], users: [] };
  const { name } = await server.createSandbox({ fixtures });
  const { page } = await openConsole(server, `${name}/requests`);
  const problems: string[] = [];
  const empty = ['requests', 'start', 'orders', 'catalog', 'nothing'].map((id) => `${name}/${id}`);
  for (const path of [...empty, 'nowhere/orders']) {
    await page.goto(`${server.baseUrl}/_console/${path}`);
    await page.locator('#content:not([aria-busy])').waitFor();
    problems.push(...(await problemsOf(page)));
  }
  await page.getByText('There is no sandbox "nowhere"').first().waitFor();
  const stranger = await visit(`${server.baseUrl}/_console`, { waitUntil: 'load' });
  await stranger.page.getByRole('dialog').waitFor();
  expect([...problems, ...(await problemsOf(stranger.page))]).toEqual([]);
});
