// Pages of others in a real Chromium: on another site, on another port of our site, and at a name of their own that came to lead to our server.
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Target } from './unprotected.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const document = '<!doctype html><title>hostile</title><body>';
const pagePath = '/page-of-another';

/** Where a page stands, seen from the server's address `http://localhost:{port}`. */
export type Place = 'another site' | 'another port' | 'a rebound name' | 'our own origin';

/** Gives pages in such places to the tests of a file; the browser is started and closed around them. */
export function useHostilePages(): (place: Place, target: Target) => Promise<Page> {
  let browser: Browser;
  let server: Server;
  let port = 0;
  beforeAll(async () => {
    server = createServer(answerOrPass).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    // Whatever its port, the name leads here, where its page is; all else goes on to the port that was asked for.
    const args = ['--no-sandbox', `--host-resolver-rules=MAP evil.example 127.0.0.1:${port}`];
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });
  return async (place, target) => {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const addresses: Readonly<Record<Place, string>> = {
      'another site': `http://127.0.0.1:${port}${pagePath}`,
      'another port': `http://localhost:${port}${pagePath}`,
      'a rebound name': `http://evil.example:${target.port}${pagePath}`,
      'our own origin': `http://localhost:${target.port}/_docs`,
    };
    await page.goto(addresses[place]);
    return page;
  };
}

/** The page itself; else what a name that leads elsewhere by now would come to: the request as it is, at the port that it names. */
const answerOrPass: Parameters<typeof createServer>[1] = (incoming, outgoing) => {
  const { method, url = '', headers } = incoming;
  if (url === pagePath) return void outgoing.writeHead(200, { 'content-type': 'text/html' }).end(document);
  const [, port] = /^evil\.example:(\d+)$/.exec(headers.host ?? '') ?? [];
  if (port === undefined) return void outgoing.writeHead(404).end();
  const passed = request({ host: '127.0.0.1', port, path: url, method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  passed.on('error', () => outgoing.destroy());
  incoming.pipe(passed);
};
