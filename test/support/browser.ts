// Pages as a real Chromium shows them: one browser per file, each visit in a context of its own that notes whatever goes amiss.
import { type Browser, type BrowserContextOptions, chromium, type Page, type Response } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

/** test/browser/run.sh says where it found one. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export interface Visit {
  readonly page: Page;
  readonly response: Response;
  /** The URLs that were asked for, in order. */
  readonly requests: readonly string[];
  /** What the browser complained of: blocked and failed requests, errors, dialogs. */
  readonly complaints: readonly string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /** What to wait for; a page with an answer that does not end never has an idle network. Default: `networkidle`. */
  readonly waitUntil?: 'load' | 'networkidle';
}

/** Gives `visit` to the tests of a file; the browser is started and closed around them. */
export function useBrowser(): (url: string, options?: VisitOptions) => Promise<Visit> {
  let browser: Browser;
  beforeAll(async () => {
    // As root Chromium starts only without its sandbox, and pages here are our own.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());
  return async (url, options) => visit(browser, url, options);
}

async function visit(
  browser: Browser,
  url: string,
  { waitUntil = 'networkidle', ...of }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext(of);
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
  if (!response) throw new Error(`${url} gave no response`);
  return { page, response, requests, complaints };
}
