// Paths and methods of the control API: an unknown path is 404, another method 405, and HEAD is GET without its body.
import { describe, expect, test, vi } from 'vitest';
import { controlOperationList } from '../../../src/contract/control/operations.ts';
import { controlled, failureOf, filled } from '../../support/control.ts';

test('an unknown path is 404', async () => {
  const { admin, sachet } = controlled();
  const message = expect.stringMatching(/^The control API has no route \/_admin/);
  for (const path of ['', '/', '/Sandboxes', '/sandboxes/stage/', '/sandboxes//clock', '/sandboxes/stage/__proto__'])
    expect(failureOf(await admin('GET', path))).toEqual([404, message]);
  expect((await admin('GET', `/${'x'.repeat(8000)}`)).text.length).toBeLessThan(500);
  const headers = { authorization: `Bearer ${sachet.adminKey}` };
  for (const path of ['/sandboxes/stage/_admin/sandboxes', '/v2/_admin/sandboxes', '/_ADMIN/sandboxes'])
    expect((await sachet.call('GET', path, { headers })).status, path).toBe(404);
});

test('each path rejects the methods that it does not have, and lists those that it has', async () => {
  const { admin } = controlled();
  const wrong: string[] = [];
  for (const template of new Set(controlOperationList.map(({ path }) => path))) {
    const path = filled(template, { sandbox: 'stage' });
    // More than one template can match a path.
    const allowed = controlOperationList
      .filter((operation) => new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
      .map(({ method }) => method as string);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allowed.includes(method)) continue;
      const { status, headers, body } = await admin(method, path.replace('/_admin', ''));
      const found = headers.get('allow')?.split(', ').sort().join();
      if (status !== 405 || found !== [...new Set(allowed)].sort().join() || !body.message.includes(`not ${method}`))
        wrong.push(`${method} ${path}: ${status}, ${found}, ${body?.message}`);
    }
  }
  expect(wrong).toEqual([]);
});

describe('HEAD', () => {
  test('has the headers of GET and no body', async () => {
    const { admin } = controlled();
    for (const path of ['/sandboxes', '/sandboxes/stage/clock']) {
      const [get, head] = [await admin('GET', path), await admin('HEAD', path)];
      expect([head.status, head.headers.get('content-type')]).toEqual([get.status, get.headers.get('content-type')]);
    }
    expect((await admin('HEAD', '/sandboxes/unheard-of')).status).toBe(404);
    expect((await admin('HEAD', '/sandboxes/stage/reset')).status).toBe(405);
  });

  test('of the events leaves no listener behind', async () => {
    const { admin, sachet } = controlled();
    const { feed } = await sachet.sandbox();
    const listen = feed.listen.bind(feed);
    let listening = 0;
    vi.spyOn(feed, 'listen').mockImplementation((...args) => {
      const stop = listen(...args);
      listening += 1;
      return () => {
        listening -= 1;
        stop();
      };
    });
    expect((await admin('HEAD', '/sandboxes/stage/events')).status).toBe(200);
    await expect.poll(() => listening).toBe(0);
  });
});

test('an unknown sandbox is 404', async () => {
  const { admin } = controlled();
  for (const name of ['w9', '..%2fstage', 'stage%20', '__proto__', 'x'.repeat(5000)])
    for (const end of ['', '/clock']) {
      const [status, message] = failureOf(await admin('GET', `/sandboxes/${name}${end}`));
      expect([status, message]).toEqual([404, expect.stringMatching(/^There is no sandbox "/)]);
      expect(String(message).length).toBeLessThan(200);
    }
});

test('a repeated query parameter is 400', async () => {
  const { status, body } = await controlled().admin('GET', '/sandboxes/stage/requests?status=200&status=404');
  expect([status, body.details[0].field]).toEqual([400, 'status']);
});

test('no response may be cached', async () => {
  const { admin, input } = controlled();
  const all = [await admin('GET', '/sandboxes'), await input('GET', '/_admin/sandboxes'), await admin('GET', '/x')];
  expect(all.map(({ headers }) => headers.get('cache-control'))).toEqual(['no-store', 'no-store', 'no-store']);
});
