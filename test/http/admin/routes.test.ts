// Paths and methods of the control API: an unknown path is 404, another method 405.

import { expect, test } from 'vitest';
import { filled } from '../../../src/contract/addresses.ts';
import { bounds } from '../../../src/contract/control/bounds.ts';
import { controlOperationList } from '../../../src/contract/control/operations.ts';
import { controlled, failureOf } from '../../support/control.ts';

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
    const path = filled(template, (name) => (name === 'sandbox' ? 'stage' : 'x'));
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

test('HEAD of an unknown sandbox is 404, of a path without GET 405; of the events, it leaves no listener behind', async () => {
  const { admin } = controlled();
  const answers = [await admin('HEAD', '/sandboxes/unheard-of'), await admin('HEAD', '/sandboxes/stage/reset')];
  expect(answers.map(({ status }) => status)).toEqual([404, 405]);
  for (let n = 0; n <= bounds.listeners; n += 1)
    expect((await admin('HEAD', '/sandboxes/stage/events')).status, `${n}`).toBe(200);
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

test('no response may be cached, or has a Date', async () => {
  const { admin, input } = controlled();
  const all = [await admin('GET', '/sandboxes'), await input('GET', '/_admin/sandboxes'), await admin('GET', '/x')];
  const ofEach = (name: string) => all.map(({ headers }) => headers.get(name));
  expect([ofEach('cache-control'), ofEach('date')]).toEqual([Array(3).fill('no-store'), Array(3).fill(null)]);
});
