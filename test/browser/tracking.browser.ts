// The tracking page in a real Chromium: its own style alone, in light and dark, with long values.
import { expect, onTestFinished, test } from 'vitest';
import type { Page } from '../../src/http/markup.ts';
import { noSuchPackagePage, trackingPage } from '../../src/http/tracking.ts';
import { tracked } from '../support/tracked-package.ts';
import { listening, sidewaysOf, startServer, visit } from './browser.ts';

/** Serves a page and opens it. */
async function open({ status, headers, body }: Page) {
  const url = await listening((_, response) => response.writeHead(status, headers).end(body), onTestFinished);
  return visit(`${url}/_tracking/1Z`);
}

async function expectSound({ page, requests, complaints }: Awaited<ReturnType<typeof visit>>, heading: string) {
  expect(await page.getByRole('main', { name: heading, exact: true }).count()).toBe(1);
  expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual([heading]);
  expect(await page.locator('body').evaluate((body) => getComputedStyle(body).maxWidth)).toBe('640px');
  expect(requests).toEqual([page.url()]);
  expect(complaints.filter((text) => !text.includes('404 (Not Found)'))).toEqual([]);
}

test('is served by the built server at the URL that a client gets, and styled in light and dark', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const client = server.sandbox('stage').client({ username: 'demo', password: 'sachet-demo' });
  const [{ tracking_info }] = (await (await client.get('/v2/fulfillments?limit=1')).json()).fulfillments;
  expect(tracking_info.tracking_url).toContain(`${server.baseUrl}/`);
  const seen = await visit(tracking_info.tracking_url);
  expect(seen.status).toBe(200);
  const heading = seen.page.locator('h1');
  await expectSound(seen, (await heading.textContent()) ?? '');
  expect(await seen.page.getByRole('definition').allTextContents()).toContain(tracking_info.tracking_number);
  const colors: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await seen.page.emulateMedia({ colorScheme });
    colors.push(await heading.evaluate((element) => getComputedStyle(element).color));
  }
  expect(colors).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
});

test('shows long values without scrolling sideways on a phone, and a page without a package', async () => {
  const long = '9'.repeat(10_000);
  const seen = await open(
    trackingPage({ ...tracked, trackingNumber: long, events: [{ at: tracked.now, name: long }] }),
  );
  await expectSound(seen, tracked.status);
  await seen.page.setViewportSize({ width: 320, height: 640 });
  expect(await sidewaysOf(seen.page)).toBe(0);
  await expectSound(await open(noSuchPackagePage('1Z')), 'Package not found');
});
