// Every page of the console in a real Chromium: for everybody, on every screen, in light and dark, and from its own origin alone.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pageIds } from '../../src/console/page-addresses.ts';
import { consolePath } from '../../src/contract/addresses.ts';
import { useBrowser } from '../support/browser.ts';
import { consoleServer, expectOwn, settled, sidewaysOf, useConsole, violationsOf } from '../support/console-page.ts';
import { sceneOf } from '../support/console-scene.ts';

const open = useConsole();
const visit = useBrowser();

/** A page at both widths: what axe finds, and how far it can be scrolled sideways. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const sideways = await sidewaysOf(page);
    if (sideways > 0) faults.push(`${sideways} px sideways at ${width} px`);
    for (const violation of await violationsOf(page)) faults.push(`at ${width} px ${violation}`);
  }
  return faults;
}

test.each(['light', 'dark'] as const)('in %s no page has a fault', { timeout: 240_000 }, async (colorScheme) => {
  const server = await consoleServer();
  const { paths } = await sceneOf(server);
  const seen = await open(server, 'stage/requests', { colorScheme });
  const { page } = seen;
  const faults: Record<string, readonly string[]> = {};
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(`${server.url}${consolePath}/${path}`);
    await settled(page);
    faults[name] = await faultsOf(page);
  }
  await page.goto(`${server.url}${consolePath}/stage/requests`);
  await settled(page);
  await page.locator('#rows a').first().click();
  await page.getByRole('dialog').getByText('Send it again').waitFor();
  faults['a request beside the list'] = await faultsOf(page);
  expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((name) => [name, []])));
  expectOwn(seen, server);
});

test.each(['light', 'dark'] as const)(
  'in %s an empty sandbox, one that is not there, and no key have none',
  { timeout: 120_000 },
  async (colorScheme) => {
    const server = await consoleServer();
    const empty = await server.sachet.createSandbox({
      name: 'empty',
      fixtures: { orders: [], fulfillments: [], products: [], pags: [], packs: [], consumers: [], users: [] },
    });
    const { page, complaints } = await open(server, `${empty.name}/requests`, { colorScheme });
    const faults: Record<string, readonly string[]> = {};
    for (const path of [...pageIds, 'nothing']) {
      await page.goto(`${server.url}${consolePath}/${empty.name}/${path}`);
      await page.locator('#content:not([aria-busy])').waitFor();
      faults[path] = await faultsOf(page);
    }
    expect(complaints.filter((text) => !/ERR_ABORTED|404 \(Not Found\)/.test(text))).toEqual([]);
    await page.goto(`${server.url}${consolePath}/nowhere/orders`);
    await page.getByText('There is no sandbox "nowhere"').first().waitFor();
    faults.nowhere = await faultsOf(page);
    const stranger = await visit(`${server.url}${consolePath}`, { waitUntil: 'load', colorScheme });
    await stranger.page.getByRole('dialog').waitFor();
    faults.key = await faultsOf(stranger.page);
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((name) => [name, []])));
  },
);

test('every page can be gone through by the keyboard', async () => {
  const server = await consoleServer();
  await sceneOf(server);
  const { page } = await open(server, 'stage/requests');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  await page.locator('#rows a').first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'One request' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.closest('#rows') !== null)).toBe(true);
});
