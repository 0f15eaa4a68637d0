// The sandbox's tracking page in a real Chromium: it stands as written, is styled, and asks for nothing beside itself.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Page } from '../../src/http/markup.ts';
import { noSuchPackagePage, trackingPage } from '../../src/http/tracking.ts';
import { useBrowser, type Visit } from '../support/browser.ts';
import { call, logIn, serving } from '../support/command.ts';
import { tracked } from '../support/tracked-package.ts';

const visit = useBrowser();

/** Serves one page at every path. */
async function served({ status, headers, body }: Page): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status, headers).end(body)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/_tracking/1Z`;
}

const visitPage = async (page: Page): Promise<Visit> => visit(await served(page));

/** What holds of every tracking page, whoever serves it. */
async function expectSound({ page, response, requests, complaints }: Visit, heading: string): Promise<void> {
  expect(await page.getByRole('main', { name: heading, exact: true }).count()).toBe(1);
  expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual([heading]);
  expect(await page.getByRole('contentinfo').innerText()).toContain('The sandbox made this page');
  expect(await page.locator('body').evaluate((body) => getComputedStyle(body).maxWidth)).toBe('640px');
  expect(requests).toEqual([response.url()]);
  expect(complaints).toEqual([]);
}

/** The events as they stand on the page: their names and their times. */
const eventsOn = ({ page }: Visit): Promise<{ name: string; at: string }[]> =>
  page.getByRole('listitem').evaluateAll((items) =>
    items.map((item) => ({
      name: item.firstChild?.textContent?.trim() ?? '',
      at: item.querySelector('time')?.dateTime ?? '',
    })),
  );

describe('a page', () => {
  test('has its title, its events in order and its style', async () => {
    const seen = await visitPage(trackingPage(tracked));
    await expectSound(seen, 'Delivered');
    expect(await seen.page.title()).toBe('Delivered – UPS 1ZA10E830367228528');
    expect(await eventsOn(seen)).toEqual(tracked.events);
  });

  test('of a package that is not there is as sound', async () => {
    const seen = await visitPage(noSuchPackagePage('1Z'));
    // A status of 404 is the one thing that the console may tell.
    const complaints = seen.complaints.filter((text) => !text.includes('404 (Not Found)'));
    await expectSound({ ...seen, complaints }, 'Package not found');
  });

  test('shows hostile values as text, however long', async () => {
    const hostile = `<script>alert(1)</script><img src="http://127.0.0.1:1/x" onerror="alert(1)">`;
    const trackingNumber = '9'.repeat(10_000);
    const events = [{ at: tracked.now, name: hostile }];
    const seen = await visitPage(
      trackingPage({ ...tracked, carrier: hostile, status: hostile, trackingNumber, events }),
    );
    await expectSound(seen, hostile);
    expect(await eventsOn(seen)).toEqual(events);
    await seen.page.setViewportSize({ width: 320, height: 640 });
    const overflow = await seen.page.evaluate(() => document.body.scrollWidth - document.documentElement.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });

  test('turns dark where the reader has it dark', async () => {
    const { page } = await visitPage(trackingPage(tracked));
    const color = () => page.locator('h1').evaluate((heading) => getComputedStyle(heading).color);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await color()).toBe('rgb(0, 0, 0)');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await color()).toBe('rgb(255, 255, 255)');
  });
});

test('a style that the policy does not admit is complained of', async () => {
  const page = trackingPage(tracked);
  const { complaints } = await visitPage({ ...page, body: page.body.replace('<style>', '<style>/**/') });
  expect(complaints).toEqual([expect.stringContaining('Content Security Policy')]);
});

test("the built server's own page of a package, by the URL that a client gets", async () => {
  const { ready } = await serving();
  const { body } = await call('GET', `${ready.url}/v2/fulfillments?limit=1`, { token: await logIn(ready) });
  const [{ tracking_info: tracking }] = body.fulfillments;
  expect(tracking.tracking_url).toMatch(new RegExp(`^${ready.url}/.*_tracking/`));
  const seen = await visit(tracking.tracking_url);
  expect(seen.response.status()).toBe(200);
  await expectSound(seen, (await seen.page.locator('h1').textContent()) ?? '');
  expect(await seen.page.title()).toContain(tracking.tracking_number);
  expect(await seen.page.getByRole('definition').allTextContents()).toContain(tracking.tracking_number);
  const times = (await eventsOn(seen)).map(({ at }) => at);
  expect(times).toEqual([...times].sort().reverse());
});
