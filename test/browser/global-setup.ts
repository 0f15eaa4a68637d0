// Starts one Chromium for all tests, and the server of the hostile page.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly browserEndpoint: string;
    readonly hostilePort: number;
  }
}

export const hostilePath = '/page-of-another';

export default async function setup({ provide }: TestProject) {
  // Serves the hostile page. Any other request to evil.example goes on to 127.0.0.1, as after DNS rebinding.
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    if (url === hostilePath)
      return void outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A</title><body>');
    const [, port] = /^evil\.example:(\d+)$/.exec(headers.host ?? '') ?? [];
    if (port === undefined) return void outgoing.writeHead(404).end();
    const forwarded = request({ host: '127.0.0.1', port, path: url, method, headers, agent: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const browser = await chromium.launchServer({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    // Chromium as root starts only without its sandbox. It finds evil.example, whatever the port, at the server above.
    args: ['--no-sandbox', `--host-resolver-rules=MAP evil.example 127.0.0.1:${port}`],
  });
  provide('browserEndpoint', browser.wsEndpoint());
  provide('hostilePort', port);
  return async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  };
}
