// The built server's console in a real Chromium: every page in light and dark, its accessibility and its layout on a phone; what a reader sees and does.
// UPDATE_DOCS=1 writes screenshots to docs/console. docs/guide/console.md must show all of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { pageIds } from '../../src/console/page-addresses.ts';
import { type Sachet, sampleOrder } from '../../src/index.ts';
import { inMachineTime, root } from '../support/command.ts';
import { expectOwn, openConsole, settled, sidewaysOf, startServer, violationsOf, visit } from './browser.ts';

const server = await startServer();
afterAll(() => server.close());
const rows = '#rows tr';
const addressOf = (path: string) => `${server.baseUrl}/_console/${path}`;

const kept = join(root, 'docs/console');

/** Records pages of a service that makes other choices. */
async function recordService(sachet: Sachet) {
  const service = await sachet.createSandbox({ assumptions: { next_cursor: 'meta', list_order: 'oldest_first' } });
  const client = service.client();
  await client.get('/v2/fulfillments?limit=2');
  await client.get('/v2/orders?limit=all');
  const har = await service.requests.har();
  await service.delete();
  return har;
}

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
  await stage.observations.learn(await recordService(sachet), { source: 'real.har' });
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
    await page.goto(addressOf(path));
    await settled(page);
    problems.push(...(await problemsOf(page, name)));
  }
  await page.goto(addressOf('stage/requests'));
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

test('an empty sandbox, the form of an order, a missing sandbox and the dialog for the key have no problem', async () => {
  const fixtures = { orders: [], fulfillments: [], products: [], pags: [], packs: [], consumers: [], users: [] };
  const { name } = await server.createSandbox({ fixtures });
  const { page } = await openConsole(server, `${name}/requests`);
  const problems: string[] = [];
  const empty = ['requests', 'start', 'orders', 'catalog', 'nothing'].map((id) => `${name}/${id}`);
  for (const path of [...empty, 'stage/orders/new', 'nowhere/orders']) {
    await page.goto(addressOf(path));
    await page.locator('#content:not([aria-busy])').waitFor();
    problems.push(...(await problemsOf(page)));
  }
  await page.getByText('There is no sandbox "nowhere"').first().waitFor();
  const stranger = await visit(`${server.baseUrl}/_console`, { waitUntil: 'load' });
  await stranger.page.getByRole('dialog').waitFor();
  expect([...problems, ...(await problemsOf(stranger.page))]).toEqual([]);
});

/** Opens a page of a new sandbox, after a login and this call if it has a path. */
async function opened(page = 'requests', path?: string) {
  const sandbox = await server.createSandbox();
  const client = sandbox.client();
  if (path) await client.get(path);
  const seen = await openConsole(server, `${sandbox.name}/${page}`);
  return { ...seen, sandbox, client, state: seen.page.locator('#live-state') };
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'One request' });

test('an invite link leads a guest to the console of the own sandbox; its page has no problem', async () => {
  const { page } = await openConsole(server, 'stage/start');
  await page.getByRole('button', { name: 'New sandbox' }).click();
  await page.getByLabel('Name', { exact: true }).fill('guest');
  await page.getByRole('button', { name: 'Create and get the link' }).click();
  const link = (await page.locator('#invite-url').textContent()) ?? '';

  const { page: guest, requests } = await visit(link, { waitUntil: 'load' });
  const problems = await problemsOf(guest);
  await guest.getByRole('button', { name: 'Open my sandbox' }).click();
  await guest.getByText('Save these now').waitFor();
  expect([...problems, ...(await problemsOf(guest))]).toEqual([]);
  const textOf = (id: string) => guest.locator(`#claimed-${id}`).textContent();
  const [baseUrl, username, password] = [await textOf('base'), await textOf('username'), await textOf('password')];
  const response = await fetch(`${baseUrl}/v2/authentication/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  expect(response.status).toBe(200);
  await guest.getByRole('button', { name: 'Open the console' }).click();
  await settled(guest);
  expect(guest.url()).toBe(addressOf('guest/start'));
  expect(requests.filter((url) => url.includes('token='))).toEqual([]);

  const open = async (address: string) => {
    const { page: late } = await visit(address, { waitUntil: 'load' });
    const own = late.getByRole('link', { name: 'Open the console with your key' });
    expect(await own.isVisible()).toBe(false);
    await late.getByRole('button', { name: 'Open my sandbox' }).click();
    return { late, own };
  };
  const wrong = await open(`${link}x`);
  await wrong.late.getByText('This is not a valid invite link; copy the whole link').waitFor();
  expect(await wrong.own.isVisible()).toBe(false);
  // The right link over the page of the wrong one.
  await Promise.all([wrong.late.waitForEvent('load'), wrong.late.goto(link)]);
  await wrong.late.getByRole('button', { name: 'Open my sandbox' }).click();
  await wrong.late.getByText(/used already/).waitFor();
  const { late, own } = await open(link);
  await late.getByText('This invite link was used already; ask your host for a new one.').waitFor();
  expect(await late.getByRole('button', { name: 'Open my sandbox' }).isVisible()).toBe(false);
  await own.click();
  await late.getByRole('dialog', { name: 'Enter your admin key' }).waitFor();
  expect(late.url()).toBe(addressOf('guest/start'));
});

describe('the key', () => {
  test('leaves the address at once, is in no request, and stays in the tab', async () => {
    const { page, requests } = await openConsole(server, 'stage/requests');
    expect(page.url()).toBe(addressOf('stage/requests'));
    expect(requests.filter((url) => url.includes(server.adminKey))).toEqual([]);
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    await settled(page);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Live requests' }).waitFor();
    expect(await page.locator('#key').isVisible()).toBe(false);
  });

  test('is asked for until it is valid; that of a sandbox opens this sandbox', async () => {
    const { name, key = '' } = await server.createSandbox({ own_key: true });
    const { page } = await visit(addressOf(`${name}/requests`), { waitUntil: 'load' });
    const dialog = page.getByRole('dialog', { name: 'Enter your admin key' });
    const enter = async (text: string) => {
      await page.getByLabel('Key', { exact: true }).fill(text);
      await page.getByRole('button', { name: 'Open the console' }).click();
    };
    await dialog.waitFor();
    await enter('schlüssel→');
    expect(await dialog.isVisible()).toBe(true);
    await enter('wrong');
    await page.getByText("That key doesn't work for this sandbox.").waitFor();
    await enter(key ?? '');
    await settled(page);
    await page.getByText('Nothing has called this sandbox yet.').waitFor();
    await page.goto(addressOf('stage/requests'));
    await dialog.waitFor();
  });
});

describe('live requests', () => {
  test('show a new request within half a second: the median of ten', inMachineTime, async () => {
    const { page, state, client } = await opened('requests', '/v2/products');
    await state.getByText('live').waitFor();
    const times: number[] = [];
    for (let n = 0; n < 10; n += 1) {
      const started = performance.now();
      const row = page.locator(rows, { hasText: `n=${n}` }).waitFor();
      await client.get(`/v2/products?n=${n}`);
      await row;
      times.push(performance.now() - started);
    }
    expect(times.sort((one, other) => one - other)[5]).toBeLessThanOrEqual(500);
  });

  test('show a new request; its row opens it, Escape and Back close it', async () => {
    const seen = await opened();
    const { page, state, client, sandbox } = seen;
    await state.getByText('live').waitFor();
    await client.get('/v2/products');
    await client.post('/v2/orders', { ...sampleOrder(), shipping_address: { address1: 'a'.repeat(112) } });
    await page.locator(rows, { hasText: '422' }).waitFor();
    const paths = ['/v2/orders', '/v2/products', '/v2/authentication/token'];
    expect(await page.locator(`${rows} .target`).allInnerTexts()).toEqual(paths);
    const dialog = dialogOf(page);
    for (const leave of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
      await page.locator(`${rows} time`).first().click();
      await dialog.getByText('Send it again').waitFor();
      await dialog.getByRole('button', { name: 'Copy: curl' }).click();
      await dialog.getByText(/^(?:Copied|Selected)$/).waitFor();
      await leave();
      await dialog.waitFor({ state: 'hidden' });
      expect(page.url()).toBe(addressOf(`${sandbox.name}/requests`));
    }
    expectOwn(seen, server.baseUrl);
  });

  test('miss nothing between the content and the stream, however late either comes', async () => {
    const { page, client } = await opened();
    const call = (query: string) => client.get(`/v2/products?${query}`);
    async function delay(part: string, act: (route: Route) => Promise<void>): Promise<void> {
      await page.route(`**/${part}/**`, act, { times: 1 });
      await page.reload();
      for (const when of ['before', 'during']) await page.locator(rows, { hasText: `${when}=${part}` }).waitFor();
    }
    await delay('_live', async (route) => {
      await call('before=_live');
      await route.continue();
      await call('during=_live');
    });
    await delay('_content', async (route) => {
      await call('before=_content');
      const response = await route.fetch();
      await call('during=_content');
      await route.fulfill({ response });
    });
  });

  test('show what was typed last, also over a slow connection', async () => {
    const { page } = await opened('requests', '/v2/products');
    let waiting = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/_content/**', async (route) => {
      waiting += 1;
      await released;
      await route.continue();
    });
    await page.getByRole('searchbox').fill('pr');
    await expect.poll(() => waiting).toBe(1);
    await page.getByRole('searchbox').fill('nothing like it');
    await expect.poll(() => new URL(page.url()).search).toBe('?q=nothing+like+it');
    await page.evaluate(() => document.body.dispatchEvent(new CustomEvent('changed')));
    release();
    await page.getByText('No request matches the filter.').waitFor();
  });

  test('four pages stream, the fifth polls', async () => {
    const { page, client } = await opened();
    const pages = [page];
    for (let at = 1; at < 5; at += 1) {
      const other = await page.context().newPage();
      await other.goto(`${page.url()}#key=${encodeURIComponent(server.adminKey)}`);
      await settled(other);
      pages.push(other);
    }
    await client.get('/v2/products');
    for (const one of pages) await one.locator(rows, { hasText: '/v2/products' }).waitFor();
    const kinds = pages.map((one) => one.locator('#live-state').getAttribute('data-kind'));
    expect((await Promise.all(kinds)).sort()).toEqual(['live', 'live', 'live', 'live', 'polling']);
  });

  test('are paused, resumed, filtered and cleared', async () => {
    const { page, client, sandbox, state, requests } = await opened('requests', '/v2/products');
    const count = () => page.locator(rows).count();
    await state.getByText('live').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    const before = requests.length;
    await client.get('/v2/fulfillments');
    await state.getByText('paused, 1 new').waitFor();
    expect(requests.slice(before).filter((url) => url.includes('/_content/'))).toEqual([]);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator(rows).nth(2).waitFor();
    await page.getByRole('searchbox').fill('FULFILL');
    await expect.poll(count).toBe(1);
    await client.get('/v2/products');
    await client.get('/v2/fulfillments?limit=1');
    await expect
      .poll(() => page.locator(`${rows} .target`).allInnerTexts())
      .toEqual(['/v2/fulfillments?limit=1', '/v2/fulfillments']);
    await page.reload();
    await settled(page);
    expect(await count()).toBe(2);
    page.removeAllListeners('dialog');
    page.on('dialog', (dialog) => dialog.accept());
    await page.getByRole('button', { name: 'Clear the requests' }).click();
    await expect.poll(count).toBe(0);
    expect((await sandbox.requests.list()).requests).toEqual([]);
  });

  test('say that the server is away, and go on when it is back', async () => {
    const first = await startServer();
    const { page } = await openConsole(first, 'stage/requests');
    await page.locator('#live-state[data-kind=live]').waitFor();
    const away = page.getByText('The server does not answer.');
    await first.close();
    await page.locator('#live-state', { hasText: 'not connected, trying again' }).waitFor();
    await away.waitFor();
    const again = await startServer({ port: Number(new URL(first.baseUrl).port) });
    onTestFinished(() => again.close());
    await page.locator('#live-state[data-kind=live]').waitFor();
    await again.sandbox('stage').fetch('/v2/products');
    await page.locator(rows, { hasText: '/v2/products' }).waitFor();
    await away.waitFor({ state: 'hidden' });
  });
});

test('an order goes from creation to delivery by clicks', async () => {
  const seen = await opened('start');
  const { page, client } = seen;
  const press = (name: string) => page.locator('#content').getByRole('button', { name }).click();
  const badge = (text: string) => page.locator('#content .page-head .badge', { hasText: text }).waitFor();
  await press('Send a sample order');
  await page.locator('#sample-answer').getByRole('link', { name: /order/i }).first().click();
  await badge('Pending');
  // A pressed button that disappears leaves the focus in the content.
  await page.getByRole('button', { name: 'Accept the order' }).focus();
  await page.keyboard.press('Enter');
  await badge('Accepted');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
  await press('Start production');
  await press('Ship');
  await page.locator('#content a[href*="/fulfillments/"]').first().click();
  await page.getByRole('img', { name: /label/i }).waitFor();
  await press('Pick up');
  await press('Deliver');
  await badge('Delivered');
  const { fulfillments } = await (await client.get('/v2/fulfillments?limit=1')).json();
  expect(fulfillments[0]).toMatchObject({ delivery_date: '2026-11-20T12:00:00.000Z' });
  expectOwn(seen, server.baseUrl);
});

test('head, conduct and assumptions follow the calls of a client and the switches', async () => {
  const { page, client, sandbox } = await opened('conduct');
  const assumptions = await page.context().newPage();
  await assumptions.goto(`${addressOf(`${sandbox.name}/assumptions`)}#key=${encodeURIComponent(server.adminKey)}`);
  await settled(assumptions);
  expect(await page.locator('#conduct-documented_fields.failed').count()).toBe(0);
  await client.post('/v2/orders', { ...sampleOrder(), unknown: 1 });
  await page.locator('#conduct-documented_fields.failed').waitFor();
  await assumptions.getByRole('heading', { name: 'Touched by this client' }).waitFor();
  await page.goto(addressOf(`${sandbox.name}/switches`));
  await page.getByRole('button', { name: 'Next 3 calls: 429' }).click();
  await page.locator('#notice .done').waitFor();
  await page.locator('#top').getByText('rate_limit').waitFor();
  expect((await client.get('/v2/products')).status).toBe(429);
});

test('a recording that is dropped on the page Fidelity, or chosen, is read; a button uses its choices', async () => {
  const seen = await opened('fidelity');
  const { page, sandbox } = seen;
  expect(await problemsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  const text = JSON.stringify(await recordService(server));
  const dataTransfer = await page.evaluateHandle((content) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([content], 'dropped.har'));
    return dropped;
  }, text);
  await page.dispatchEvent('#content h1', 'drop', { dataTransfer });
  await page.locator('#fidelity-next_cursor', { hasText: 'dropped.har' }).waitFor();
  const file = { name: 'chosen.har', mimeType: 'application/json', buffer: Buffer.from(text) };
  await page.getByLabel('Recording of the service').setInputFiles(file);
  await page.getByRole('button', { name: 'Read the recording' }).click();
  await page.locator('#fidelity-next_cursor', { hasText: 'chosen.har' }).waitFor();
  await page.getByRole('button', { name: 'Use the observed choices' }).click();
  const dialog = page.getByRole('dialog', { name: 'Use the observed choices' });
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: /^Change/ }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.locator('#fidelity-next_cursor .badge').waitFor({ state: 'detached' });
  expect(await sandbox.assumptions.get()).toMatchObject({ next_cursor: 'meta', list_order: 'oldest_first' });
  expectOwn(seen, server.baseUrl);
});

test('the sandbox is chosen by mouse or keyboard, and the page stays', async () => {
  const { page } = await openConsole(server, 'stage/orders');
  await page.locator('#sandbox').selectOption('production');
  await page.waitForURL('**/_console/production/orders');
  await settled(page);
  // By keyboard only Enter opens a sandbox, so that the other keys can pass many.
  await page.locator('#sandbox').focus();
  await page.keyboard.press('End');
  expect([page.url(), await page.locator('#sandbox').inputValue()]).toEqual([addressOf('production/orders'), 'stage']);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/_console/stage/orders');
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
});

test('on a phone the head is low, and its button opens the menu, which Escape closes', async () => {
  const { page } = await openConsole(server, 'stage/orders', undefined, { viewport: { width: 390, height: 844 } });
  expect(await page.locator('#bar').evaluate((bar) => bar.getBoundingClientRect().height)).toBeLessThanOrEqual(96);
  for (const id of ['sandbox', 'top-clock', 'top-overrides'])
    expect(await page.locator(`#${id}`).isVisible()).toBe(true);
  const link = page.getByRole('link', { name: 'Scenarios' });
  expect(await link.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Menu', exact: true }).press('Enter');
  await link.focus();
  await page.keyboard.press('Escape');
  await link.waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Menu');
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  expect(await violationsOf(page)).toEqual([]);
  await link.click();
  await page.getByRole('heading', { level: 1, name: 'Scenarios' }).waitFor();
  // A message covers no button of the page.
  await page.getByRole('button', { name: 'Apply' }).first().click();
  const bottomOf = (selector: string) =>
    page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom);
  expect(await bottomOf('#notice .done')).toBeLessThanOrEqual(await bottomOf('#bar'));
  await server.sandbox('stage').scenarios.take_back('discontinued-product');
});

test('a form in a dialog keeps it open when it is rejected, and closes it when it succeeds', async () => {
  const { page, sandbox } = await opened('clock');
  await page.getByRole('button', { name: 'Set time or rate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set time or rate' });
  const set = async (time: string) => {
    await dialog.getByLabel('New time').fill(time);
    await dialog.getByRole('button', { name: 'Set time' }).click();
  };
  await set('1969-01-31T09:00');
  const alert = page.locator('#notice [role=alert]');
  await alert.waitFor();
  expect(await dialog.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await alert.click();
  await alert.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Set time or rate' }).click();
  await set('2030-01-31T09:00');
  await dialog.waitFor({ state: 'hidden' });
  expect((await sandbox.clock.get()).now).toMatch(/^2030-01-31T09:00/);
});

test('the keyboard skips to the content, opens a request and returns to its row', async () => {
  const { page } = await opened('requests', '/v2/products');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  await page.locator('#rows a').first().focus();
  await page.keyboard.press('Enter');
  await dialogOf(page).waitFor();
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.closest('#rows') !== null)).toBe(true);
});

test('keys walk through the requests, open one, search, and list the shortcuts; in a field they are text', async () => {
  const { page } = await opened('requests', '/v2/products');
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('j');
  expect(await focused()).toBe('/v2/products');
  await press('j', 'j');
  expect(await focused()).toBe('/v2/authentication/token');
  await press('k', 'Enter');
  await dialogOf(page).getByText('GET /v2/products').first().waitFor();
  await press('j', 'Escape');
  await dialogOf(page).waitFor({ state: 'hidden' });
  expect(await focused()).toBe('/v2/products');
  await press('/', 'j', '?');
  expect(await page.getByRole('searchbox').inputValue()).toBe('j?');
  await expect.poll(() => new URL(page.url()).search).toBe('?q=j%3F');
  await press('Enter', '?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
});

test('a request is sent again from its permalink; a new request removes neither the result nor the typed text', async () => {
  const seen = await opened('requests', '/v2/products?x=1');
  const { page, client } = seen;
  await page.locator(rows, { hasText: 'x=1' }).locator('time').click();
  await dialogOf(page).getByRole('link', { name: 'Permalink' }).click();
  await page.waitForURL('**/requests/*');
  const content = page.locator('#content');
  await content.getByRole('button', { name: 'Send again' }).click();
  await content.getByRole('heading', { name: 'Now' }).waitFor();
  await content.getByText('Edit and send').click();
  await content.getByLabel('Path and query').fill('/v2/fulfillments?limit=1');
  const refreshed = page.waitForResponse(/\/_content\//);
  await client.get('/v2/fulfillments');
  await refreshed;
  await page.locator('#content:not([aria-busy])').waitFor();
  await content.getByRole('heading', { name: 'Now' }).waitFor();
  await content.getByRole('button', { name: 'Send the edited request' }).click();
  await content.getByRole('link', { name: '/v2/fulfillments' }).click();
  await dialogOf(page).getByText('?limit=1').first().waitFor();
  expect(await problemsOf(page)).toEqual([]);
  expectOwn(seen, server.baseUrl);
});
