// The built library in a page of a real Chromium: Web APIs are enough, and it loads its own files only.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type * as Library from '../../src/index.ts';
import { root } from '../support/command.ts';
import { listening, visit } from './browser.ts';

const html = `<!doctype html><title>A page</title><link rel="icon" href="data:,">
<script type="module">globalThis.library = await import('./index.js');</script>`;

/** Runs in the page. */
async function story() {
  const { createSachet, sampleOrder } = (globalThis as unknown as { library: typeof Library }).library;
  const sachet = createSachet({ clock: '2026-01-01T00:00:00Z' });
  const sandbox = await sachet.createSandbox({ name: 'w7' });
  const client = sandbox.client();
  const created = await client.post('/v2/orders', sampleOrder());
  const consumer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example', phone_number: '+15550100' };
  const rejected = await client.post('/v2/orders', sampleOrder({ consumer }));
  const { fulfillments } = await (await client.get('/v2/fulfillments?limit=1')).json();
  const label = await sandbox.fetch(fulfillments[0].label_url);
  const { now } = await sandbox.clock.advance({ by: 'P2D' });
  const later = await client.get('/v2/products');
  const calls = (await sandbox.requests.list()).requests.map(
    ({ method, path, status }) => `${method} ${path} ${status}`,
  );
  const expired = await sandbox.fetch(fulfillments[0].label_url);
  await sandbox[Symbol.asyncDispose]();
  const names = (await sachet.sandboxes()).map(({ name }) => name);
  await sachet.close();
  return {
    created: created.status,
    rejected: [rejected.status, await rejected.text()],
    label: [label.status, label.headers.get('content-type'), (await label.text()).slice(0, 5)],
    now,
    later: later.status,
    expired: expired.status,
    calls,
    names,
  };
}

test('places orders, downloads a label, and advances the clock', async () => {
  // At `/` a page that imports the library, next to the built files.
  const url = await listening(({ url: path = '/' }, response) => {
    const [type, text] = path === '/' ? ['html', html] : ['javascript', readFileSync(join(root, 'dist', path))];
    response.writeHead(200, { 'content-type': `text/${type}; charset=utf-8` }).end(text);
  }, onTestFinished);
  const seen = await visit(url);
  expect(seen.complaints, 'complaints of the import').toEqual([]);
  const result = await seen.page.evaluate(story);
  expect(result).toMatchObject({
    created: 201,
    rejected: [422, expect.stringContaining('email')],
    label: [200, 'application/pdf', '%PDF-'],
    now: '2026-01-03T00:00:00.000Z',
    later: 200,
    expired: 403,
    names: ['production', 'stage'],
  });
  expect(result.calls).toContain('POST /v2/authentication/refresh-token 200');
  expect(seen.complaints).toEqual([]);
  const own = seen.requests.map((request) => request.replace(`${url}/`, ''));
  expect(own).toContain('index.js');
  expect(own.filter((path) => !/^(?:[\w-]+\.js)?$/.test(path))).toEqual([]);
});
