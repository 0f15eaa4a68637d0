// The console in a real Chromium: a server of the test's own, and its pages opened with the key.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { consolePath } from '../../src/contract/addresses.ts';
import { connect, type Sachet, type Sandbox, type ServiceClient } from '../../src/index.ts';
import { useBrowser, type Visit, type VisitOptions } from './browser.ts';
import { serving } from './command.ts';

export interface ConsoleServer {
  readonly url: string;
  readonly adminKey: string;
  readonly sachet: Sachet;
  readonly stage: Sandbox;
  /** A client of stage, logged in from its first call on. */
  readonly client: ServiceClient;
  readonly pid: number;
}

const adminKey = 'key+of/the=console';

/** A built server of its own, with its clock at noon. */
export async function consoleServer(flags: readonly string[] = []): Promise<ConsoleServer> {
  const world = ['--clock', '2026-11-20T12:00:00Z', '--random-seed', 'console', '--admin-key', adminKey];
  const { ready } = await serving([...world, ...flags]);
  const { url, username, password, pid } = ready;
  const sachet = connect({ url, adminKey });
  const stage = sachet.sandbox('stage');
  return { url, adminKey, sachet, stage, client: stage.client({ username, password }), pid };
}

/** Opens pages of a console, such as `stage/orders`, and waits until their content is there. */
export function useConsole() {
  const visit = useBrowser();
  return async ({ url, adminKey }: ConsoleServer, path: string, options: VisitOptions = {}): Promise<Visit> => {
    const address = `${url}${consolePath}/${path}#key=${encodeURIComponent(adminKey)}`;
    const seen = await visit(address, { waitUntil: 'load', ...options });
    await settled(seen.page);
    return seen;
  };
}

/** Waits until the page's content is there. */
export async function settled(page: Page): Promise<void> {
  await page.locator('#content:not([aria-busy])').waitFor();
  await page.locator('#top select').waitFor({ state: 'attached' });
}

/** How far the page can be scrolled sideways, in pixels. */
export const sidewaysOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe-core finds, in words: each kind with the first place. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const violations = (await page.evaluate('axe.run()')) as { readonly violations: readonly Violation[] };
  return violations.violations.map(
    ({ id, nodes: [first, ...more] }) =>
      `${id}: ${first?.html.slice(0, 300)}${more.length > 0 ? ` and ${more.length} more` : ''}\n${first?.failureSummary}`,
  );
}

/** That nothing was asked for elsewhere, and nothing complained of. */
export function expectOwn({ requests, complaints }: Visit, { url }: ConsoleServer): void {
  expect(
    requests.filter((request) => new URL(request).origin !== new URL(url).origin && !request.startsWith('data:')),
  ).toEqual([]);
  // A page that is left leaves what it was asking for.
  expect(complaints.filter((text) => !/\/_console\/_\w+\/\S+ net::ERR_ABORTED$/.test(text))).toEqual([]);
}
