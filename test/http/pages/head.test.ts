// HEAD over a port is told what GET would be: the same headers, and the length of the body that it is not sent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { debugHeaderNames } from '../../../src/contract/operation.ts';
import { docsPaths } from '../../support/docs-paths.ts';
import { bearer } from '../../support/forbidden.ts';
import { ask } from '../../support/page-attacks.ts';
import { type Target, target } from '../../support/unprotected.ts';

let server: Target;
beforeAll(async () => {
  server = await target();
});
afterAll(() => server.close());

/** They differ from call to call. */
const own = ['date', debugHeaderNames.requestId.toLowerCase()];

async function told(method: string, path: string, headers: Readonly<Record<string, string>>) {
  const answer = await ask(server, path, { method, headers });
  const kept = Object.entries(answer.headers).filter(([name]) => !own.includes(name));
  return { ...answer, headers: Object.fromEntries(kept) };
}

/** Both answers, with the length that the GET has. */
async function both(path: string, headers: Readonly<Record<string, string>> = {}) {
  const get = await told('GET', path, headers);
  return { get, head: await told('HEAD', path, headers), length: String(Buffer.byteLength(get.text)) };
}

describe('the headers of GET, with the length', () => {
  test.each([
    '/health',
    '/v2/products',
    '/v2/nothing',
    '/sandboxes/nobody/v2/products',
    '/nothing',
    '/_storage/labels/x.pdf',
    '/_tracking/1Z',
    ...docsPaths,
    '/sandboxes/nobody/_docs',
    '/sandboxes/nobody/_docs/openapi.json',
    '/_admin/sandboxes',
    '/_console',
    '/_console/stage/requests',
    '/_console/stage/nothing',
    '/_console/_assets/console.css',
    '/_console/_content/stage/orders',
  ])('%s', async (path) => {
    const { get, head, length } = await both(path);
    expect(head).toEqual({ ...get, text: '' });
    expect(head.headers['content-length']).toBe(length);
  });

  test.each(['/_admin/sandboxes/stage/clock', '/_admin/nothing', '/_console/_content/stage/orders'])(
    '%s with the key',
    async (path) => {
      const { get, head, length } = await both(path, bearer(server.adminKey));
      expect(head).toEqual({ ...get, text: '' });
      expect(head.headers['content-length']).toBe(length);
    },
  );
});

test('what a browser has already has no length, by either', async () => {
  const { etag } = (await told('GET', '/_docs/page.css', {})).headers;
  const { get, head } = await both('/_docs/page.css', { 'if-none-match': `${etag}` });
  expect([head, get.status]).toEqual([get, 304]);
});

test.each(['/_admin/sandboxes/stage/events', '/_console/_live/stage'])(
  'the stream %s has none that could be told',
  async (path) => {
    const { status, headers } = await ask(server, path, { method: 'HEAD', headers: bearer(server.adminKey) });
    expect([status, headers['content-length']]).toEqual([200, undefined]);
  },
);
