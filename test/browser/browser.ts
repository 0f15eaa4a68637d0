// Pages in a real Chromium, each in a context of its own, and built servers in this process.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, expect, inject, onTestFinished } from 'vitest';
import type { Sachet } from '../../src/index.ts';
import type { ServeOptions } from '../../src/node/index.ts';
import { root } from '../support/command.ts';

export const browser = await chromium.connect(inject('browserEndpoint'));
afterAll(() => browser.close());

type Visit = Awaited<ReturnType<typeof visit>>;

interface VisitOptions extends BrowserContextOptions {
  /** A page with a stream is never idle. Default: `networkidle`. */
  readonly waitUntil?: 'load' | 'networkidle';
}

/** Opens a page. `complaints` are blocked and failed requests, errors and dialogs. */
export async function visit(url: string, { waitUntil = 'networkidle', ...options }: VisitOptions = {}) {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const [requests, complaints]: [string[], string[]] = [[], []];
  context.on('request', (request) => requests.push(request.url()));
  context.on('requestfailed', (request) => complaints.push(`${request.url()} ${request.failure()?.errorText}`));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  const response = await page.goto(url, { waitUntil });
  return { page, status: response?.status(), requests, complaints };
}

/** Expects that all requests went to the server, and none failed except those of pages that were left. */
export function expectOwn({ requests, complaints }: Visit, url: string): void {
  const isOwn = (request: string) => new URL(request).origin === new URL(url).origin || request.startsWith('data:');
  expect(requests.filter((request) => !isOwn(request))).toEqual([]);
  expect(complaints.filter((text) => !/\/_console\/_\w+\/\S+ net::ERR_ABORTED$/.test(text))).toEqual([]);
}

/** Starts another server; returns its URL. @param hook when it is closed */
export async function listening(onRequest: RequestListener, hook: (close: () => void) => void): Promise<string> {
  const server = createServer(onRequest).listen(0, '127.0.0.1');
  hook(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** How far a page scrolls sideways, in pixels. */
export const sidewaysOf = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The accessibility problems that axe-core finds, each with its first place. @param rules all by default */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
  type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] };
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate<{ violations: Violation[] }>(`axe.run(${JSON.stringify(options)})`);
  return violations.map(({ id, nodes: [one] }) => `${id}: ${one?.html.slice(0, 300)}\n${one?.failureSummary}`);
}

/** A built server, with its clock at noon. */
export async function startServer(options: ServeOptions = {}): Promise<Sachet> {
  const { serve }: typeof import('../../src/node/index.ts') = await import(join(root, 'dist/node.js'));
  return serve({ clock: '2026-11-20T12:00:00Z', randomSeed: 'console', adminKey: 'key+of/the=console', ...options });
}

/** Opens a page of the console, such as `stage/orders`, and waits for its content. */
export async function openConsole({ baseUrl, adminKey }: Sachet, path: string, key = adminKey, options?: VisitOptions) {
  const address = `${baseUrl}/_console/${path}#key=${encodeURIComponent(key)}`;
  const seen = await visit(address, { waitUntil: 'load', ...options });
  await settled(seen.page);
  return seen;
}

/** Waits for the content of a page of the console. */
export async function settled(page: Page): Promise<void> {
  await page.locator('#content:not([aria-busy])').waitFor();
  await page.locator('#top select').waitFor({ state: 'attached' });
}
