// The built server's console in a real Chromium: what a reader sees and does, with nothing but the page.
import type { Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { consolePath } from '../../src/contract/addresses.ts';
import { sampleOrder } from '../../src/index.ts';
import { useBrowser } from '../support/browser.ts';
import { type ConsoleServer, consoleServer, expectOwn, settled, useConsole } from '../support/console-page.ts';

const open = useConsole();
const visit = useBrowser();
const rows = '#rows tr';

describe('the key', () => {
  test('leaves the address at once, and stands in no request', async () => {
    const server = await consoleServer();
    const seen = await open(server, 'stage/requests');
    expect(seen.page.url()).toBe(`${server.url}${consolePath}/stage/requests`);
    expect(seen.requests.filter((url) => url.includes(server.adminKey))).toEqual([]);
    await seen.page.getByRole('link', { name: 'Orders' }).click();
    await seen.page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    await settled(seen.page);
    await seen.page.goBack();
    await seen.page.getByRole('heading', { level: 1, name: 'Live requests' }).waitFor();
    expect(await seen.page.locator('#key').isVisible()).toBe(false);
  });

  test('is asked for where there is none, and where it is not good', async () => {
    const server = await consoleServer();
    const { page } = await visit(`${server.url}${consolePath}`, { waitUntil: 'load' });
    await page.getByRole('dialog', { name: 'Enter your admin key' }).waitFor();
    await page.getByLabel('Key', { exact: true }).fill('schlüssel→');
    await page.getByRole('button', { name: 'Open the console' }).click();
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    await page.getByLabel('Key', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.getByText("That key doesn't work for this sandbox.").waitFor();
    await page.getByLabel('Key', { exact: true }).fill(server.adminKey);
    await page.getByRole('button', { name: 'Open the console' }).click();
    await settled(page);
    await page.getByText('Nothing has called this sandbox yet.').waitFor();
  });

  test('of one sandbox opens that sandbox', async () => {
    const server = await consoleServer();
    const made = await server.sachet.createSandbox({ name: 'acme', own_key: true });
    const { page } = await open({ ...server, adminKey: made.key ?? '' }, 'acme/requests');
    await page.getByText('Nothing has called this sandbox yet.').waitFor();
    expect(await page.locator('#sandbox option').allTextContents()).toEqual(['acme']);
    await page.goto(`${server.url}${consolePath}/stage/requests`);
    await page.getByRole('dialog', { name: 'Enter your admin key' }).waitFor();
  });
});

describe('live requests', () => {
  test('a request that a client sends appears within a second, and opens beside its answer', async () => {
    const server = await consoleServer();
    const seen = await open(server, 'stage/requests');
    const { page } = seen;
    await page.locator('#live-state[data-kind=live]').waitFor();
    await server.client.get('/v2/products');
    await server.client.post(
      '/v2/orders',
      sampleOrder({ shipping_address: { ...sampleOrder().shipping_address, address1: 'a'.repeat(112) } }),
    );
    await page.locator(rows, { hasText: 'ORD-15' }).waitFor({ timeout: 1000 });
    expect(await page.locator(`${rows} .target`).allInnerTexts()).toEqual([
      '/v2/orders',
      '/v2/products',
      '/v2/authentication/token',
    ]);
    await page.locator(rows, { hasText: 'ORD-15' }).getByRole('link').click();
    const dialog = page.getByRole('dialog', { name: 'One request' });
    await dialog.getByText('Rejected by ORD-15: address1 has 112 characters.').waitFor();
    await dialog.getByRole('button', { name: 'Copy: curl' }).click();
    await dialog.getByText(/^(?:Copied|Selected)$/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expectOwn(seen, server);
  });

  test('nothing is lost between the page and what it is told, however late either comes', async () => {
    const server = await consoleServer();
    const { page } = await open(server, 'stage/requests');
    const call = (query: string) => server.client.get(`/v2/products?${query}`);
    const late = async (part: string, act: (route: Route) => Promise<void>) => {
      await page.route(`**/${part}/**`, act, { times: 1 });
      await page.reload();
      for (const when of ['before', 'while']) await page.locator(rows, { hasText: `${when}=${part}` }).waitFor();
    };
    await late('_live', async (route) => {
      await call('before=_live');
      await route.continue();
      await call('while=_live');
    });
    await late('_content', async (route) => {
      await call('before=_content');
      const response = await route.fetch();
      await call('while=_content');
      await route.fulfill({ response });
    });
  });

  test('what is typed last is what the list shows, over a slow link, too', async () => {
    const server = await consoleServer();
    await server.client.get('/v2/products');
    const { page } = await open(server, 'stage/requests');
    let under = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/_content/**', async (route) => {
      under += 1;
      await released;
      await route.continue();
    });
    await page.getByRole('searchbox').fill('pr');
    await expect.poll(() => under).toBe(1);
    await page.getByRole('searchbox').fill('nothing like it');
    await expect.poll(() => new URL(page.url()).search).toBe('?q=nothing+like+it');
    await page.evaluate(() => document.body.dispatchEvent(new CustomEvent('changed')));
    release();
    await page.getByText('No request matches the filter.').waitFor();
  });

  test('ten pages are seen at once, and each is answered and goes on', { timeout: 90_000 }, async () => {
    const server = await consoleServer();
    const { page } = await open(server, 'stage/requests');
    const pages = [page];
    for (let at = 0; at < 9; at += 1) {
      const other = await page.context().newPage();
      await other.goto(`${page.url()}#key=${encodeURIComponent(server.adminKey)}`);
      await settled(other);
      pages.push(other);
    }
    await server.client.get('/v2/products');
    for (const one of pages) await one.locator(rows, { hasText: '/v2/products' }).waitFor();
    await page.locator('#live-state[data-kind=live]').waitFor();
    await pages.at(-1)?.locator('#live-state[data-kind=polling]').waitFor();
  });

  test('a row opens wherever it is pressed, and Back closes it', async () => {
    const server = await consoleServer();
    await server.client.get('/v2/products');
    const { page } = await open(server, 'stage/requests?q=products');
    const dialog = page.getByRole('dialog', { name: 'One request' });
    for (const leave of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
      await page.locator(`${rows} time`).first().click();
      await dialog.getByText('Send it again').waitFor();
      await leave();
      await dialog.waitFor({ state: 'hidden' });
      expect(page.url()).toBe(`${server.url}${consolePath}/stage/requests?q=products`);
    }
  });

  test('pause, go on, filter and clear', async () => {
    const server = await consoleServer();
    const { page } = await open(server, 'stage/requests');
    const state = page.locator('#live-state');
    await server.client.get('/v2/products');
    await page.locator(rows).nth(1).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await server.client.get('/v2/fulfillments');
    await state.getByText('paused, 1 new').waitFor();
    expect(await page.locator(rows).count()).toBe(2);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator(rows).nth(2).waitFor();
    await page.getByRole('searchbox').fill('FULFILL');
    await expect.poll(() => page.locator(rows).count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?q=FULFILL');
    await server.client.get('/v2/products');
    await server.client.get('/v2/fulfillments?limit=1');
    await expect
      .poll(() => page.locator(`${rows} .target`).allInnerTexts())
      .toEqual(['/v2/fulfillments?limit=1', '/v2/fulfillments']);
    await page.reload();
    await settled(page);
    expect(await page.locator(rows).count()).toBe(2);
    page.removeAllListeners('dialog');
    page.on('dialog', (dialog) => dialog.accept());
    await page.getByRole('button', { name: 'Clear the requests' }).click();
    await expect.poll(() => page.locator(rows).count()).toBe(0);
    expect((await server.stage.requests.list()).requests).toEqual([]);
  });

  test('what the journal holds of HTML and script is shown as text', async () => {
    const server = await consoleServer();
    const seen = await open(server, 'stage/requests');
    const hostile = '<img src=x onerror=alert(1)><script>alert(1)</script>';
    await server.client.call('GET', `/v2/products/${encodeURIComponent(hostile)}`);
    await server.client.post('/v2/orders', { [hostile]: hostile });
    for (const row of [0, 1]) {
      await seen.page.locator(rows).nth(row).getByRole('link').click();
      await seen.page.getByRole('dialog').getByText('onerror=alert(1)').first().waitFor();
      expect(
        await seen.page.locator('#content img, #request-dialog img, #content script, #request-dialog script').count(),
      ).toBe(0);
      await seen.page.keyboard.press('Escape');
    }
    expectOwn(seen, server);
  });

  test('ten thousand requests leave the page as it is: never more than a hundred rows', {
    timeout: 120_000,
  }, async () => {
    const server = await consoleServer();
    const { page } = await open(server, 'stage/requests');
    await page.locator('#live-state[data-kind=live]').waitFor();
    await page.evaluate(() => {
      Object.assign(globalThis, { mostRows: 0 });
      new MutationObserver(() => {
        const most = Math.max(Reflect.get(globalThis, 'mostRows'), document.querySelectorAll('#rows tr').length);
        Object.assign(globalThis, { mostRows: most });
      }).observe(document.body, { childList: true, subtree: true });
    });
    for (let at = 0; at < 10_000; at += 50)
      await Promise.all(Array.from({ length: 50 }, (_, of) => server.stage.fetch(`/v2/products?at=${at + of}`)));
    await page.locator(rows, { hasText: 'at=9999' }).waitFor();
    expect([await page.evaluate('mostRows'), await page.locator(rows).count()]).toEqual([100, 100]);
  });

  test('the page says that the server is away, and goes on when it is back', async () => {
    const server = await consoleServer();
    const { page } = await open(server, 'stage/requests');
    await page.locator('#live-state[data-kind=live]').waitFor();
    const away = page.getByText('The server does not answer.');
    process.kill(server.pid, 'SIGKILL');
    await page.locator('#live-state', { hasText: 'not connected, trying again' }).waitFor();
    await away.waitFor();
    const again = await consoleServer(['--port', new URL(server.url).port]);
    await page.locator('#live-state[data-kind=live]').waitFor();
    await again.client.get('/v2/products');
    await page.locator(rows, { hasText: '/v2/products' }).waitFor();
    await away.waitFor({ state: 'hidden' });
  });
});

/** What the next call of the client is answered. */
const next = async ({ client }: ConsoleServer): Promise<number> => (await client.get('/v2/products')).status;

describe('what is turned in the page', () => {
  test('changes the next answer', async () => {
    const server = await consoleServer();
    expect(await next(server)).toBe(200);
    const { page } = await open(server, 'stage/switches');
    await page.getByRole('button', { name: 'Next 3 calls: 429' }).click();
    await page.locator('#notice .done').waitFor();
    expect(await next(server)).toBe(429);
    await page.locator('#top').getByText('rate_limit').waitFor();
  });

  test('by the keyboard one walks through the sandboxes, and Enter chooses', async () => {
    const server = await consoleServer();
    const { page } = await open(server, 'stage/orders');
    await page.locator('#sandbox').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect([page.url(), await page.locator('#sandbox').inputValue()]).toEqual([
      `${server.url}${consolePath}/stage/orders`,
      'production',
    ]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/_console/production/orders');
  });

  test('a button that is gone once it was pressed leaves the focus on the page', async () => {
    const server = await consoleServer();
    const { order } = await (await server.client.post('/v2/orders', sampleOrder())).json();
    const { page } = await open(server, `stage/orders/${order.id}`);
    await page.getByRole('button', { name: 'Accept the order' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.badge', { hasText: 'Accepted' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  test('conduct and touched assumptions follow the calls of a client', async () => {
    const server = await consoleServer();
    const conduct = await open(server, 'stage/conduct');
    const assumptions = await conduct.page.context().newPage();
    await assumptions.goto(`${server.url}${consolePath}/stage/assumptions#key=${encodeURIComponent(server.adminKey)}`);
    await settled(assumptions);
    expect(
      await conduct.page.locator('#conduct-documented_fields .failed, #conduct-documented_fields .fails').count(),
    ).toBe(0);
    await server.client.post('/v2/orders', { ...sampleOrder(), unknown: 1 });
    await conduct.page.locator('#conduct-documented_fields.failed').waitFor();
    await assumptions.getByRole('heading', { name: 'Touched by this client' }).waitFor();
  });

  test('a sandbox is chosen in the head, and keeps the page', async () => {
    const server = await consoleServer();
    const { page } = await open(server, 'stage/orders');
    await page.locator('#sandbox').selectOption('production');
    await page.waitForURL('**/_console/production/orders');
    await settled(page);
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  });
});
