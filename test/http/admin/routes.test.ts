// Paths and methods of the control API: what is no route is 404, what has another method is 405, and HEAD is GET without its body.
import { describe, expect, test, vi } from 'vitest';
import { controlOperationList } from '../../../src/contract/control/operations.ts';
import { controlled, filled, told } from '../../support/control.ts';

test.each([
  '',
  '/',
  '/sandboxes/',
  '/Sandboxes',
  '/sandbox',
  '/sandboxes/stage/',
  '/sandboxes/stage/clocks',
  '/sandboxes/stage/clock/',
  '/sandboxes/stage/clock/advance/more',
  '/sandboxes//clock',
  '/sandboxes/stage/__proto__',
  '/sandboxes/stage/constructor',
])('GET /_admin%s is no route', async (path) => {
  const [status, message] = told(await controlled().admin('GET', path));
  expect(status).toBe(404);
  expect(message).toMatch(/^The control API has no route \/_admin/);
});

test('a path of any length is refused in few words', async () => {
  const { status, text } = await controlled().admin('GET', `/${'x'.repeat(8000)}`);
  expect([status, text.length < 500]).toEqual([404, true]);
});

test('the control API stands under no base URL of a sandbox', async () => {
  const { sachet } = controlled();
  const headers = { authorization: `Bearer ${sachet.adminKey}` };
  for (const path of ['/sandboxes/stage/_admin/sandboxes', '/v2/_admin/sandboxes', '/_ADMIN/sandboxes'])
    expect((await sachet.call('GET', path, { headers })).status).toBe(404);
});

const paths = [...new Set(controlOperationList.map(({ path }) => path))];
const methodsOf = (path: string) =>
  controlOperationList.filter((operation) => operation.path === path).map(({ method }) => method as string);

/** A path that more than one template fits has the methods of all. */
const methodsAt = (path: string) =>
  controlOperationList
    .filter((operation) => new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .map(({ method }) => method as string);

describe.each(paths)('%s', (template) => {
  const path = filled(template, { sandbox: 'stage' });
  const allowed = methodsAt(path);

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((method) => !allowed.includes(method)))(
    'is not asked by %s',
    async (method) => {
      const { input, sachet } = controlled();
      const headers = { authorization: `Bearer ${sachet.adminKey}` };
      const answer = await input(method, path, { headers });
      expect(answer.status).toBe(405);
      expect(new Set(answer.headers.get('allow')?.split(', '))).toEqual(new Set(allowed));
      expect(answer.body.message).toContain(`not ${method}`);
    },
  );

  test('names all its methods', () => {
    for (const method of methodsOf(template)) expect(allowed).toContain(method);
  });
});

describe('HEAD', () => {
  test('answers as GET does, without a body', async () => {
    const { admin } = controlled();
    for (const path of ['/sandboxes', '/sandboxes/stage', '/sandboxes/stage/clock']) {
      const [get, head] = [await admin('GET', path), await admin('HEAD', path)];
      expect([head.status, head.headers.get('content-type')]).toEqual([get.status, get.headers.get('content-type')]);
    }
    expect((await admin('HEAD', '/sandboxes/unheard-of')).status).toBe(404);
    expect((await admin('HEAD', '/sandboxes/stage/reset')).status).toBe(405);
  });

  test('of the events leaves nobody listening', async () => {
    const { admin, sachet } = controlled();
    const { feed } = await sachet.sandbox();
    const listen = feed.listen.bind(feed);
    let listening = 0;
    vi.spyOn(feed, 'listen').mockImplementation((...asked) => {
      const stop = listen(...asked);
      listening += 1;
      return () => {
        listening -= 1;
        stop();
      };
    });
    expect((await admin('HEAD', '/sandboxes/stage/events')).status).toBe(200);
    for (let n = 0; n < 100 && listening > 0; n += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(listening).toBe(0);
  });

  test('needs the key', async () => {
    expect((await controlled().input('HEAD', '/_admin/sandboxes')).status).toBe(401);
  });
});

test.each(['w9', 'W9', '..%2fstage', 'stage%20', '%00', 'constructor', '__proto__', 'x'.repeat(5000)])(
  'a sandbox named %j is not there',
  async (name) => {
    const { admin } = controlled();
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/reset'],
      ['GET', '/clock'],
    ] as const) {
      const [status, message] = told(await admin(method, `/sandboxes/${name}${path}`));
      expect([status, String(message).length < 200]).toEqual([404, true]);
      expect(message).toMatch(/^There is no sandbox "/);
    }
  },
);

test('no answer of the control API may be kept by a cache', async () => {
  const { admin, input } = controlled();
  const answers = [await admin('GET', '/sandboxes'), await input('GET', '/_admin/sandboxes'), await admin('GET', '/x')];
  expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(['no-store', 'no-store', 'no-store']);
});
