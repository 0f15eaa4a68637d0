// Who is turned away from the control API: from every operation, before anything of the request is looked at.
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { everything, told } from '../../support/control.ts';
import { adminKey, bearer, deedOf, forbidden, isKnown, operationRows, prepared } from '../../support/forbidden.ts';

describe('of a forbidden request nothing is done', () => {
  let server: Awaited<ReturnType<typeof prepared>>;
  beforeAll(async () => {
    server = await prepared();
  });

  test.each(operationRows)('by %s', async (_, operation) => {
    const before = await everything(server);
    const { method, path, init } = deedOf(operation, server.names);
    for (const { what, status, headers } of forbidden) {
      const answer = await server.input(method, path, { ...init, headers });
      expect(answer.status, what).toBe(status);
      expect(answer.headers.get('www-authenticate'), what).toBe(status === 401 ? 'Bearer' : null);
    }
    const after = await everything(server);
    expect({ ...after, roots: [] }).toEqual({ ...before, roots: [] });
    for (const [index, root] of after.versions.entries()) expect(root).toBe(before.versions[index]);
  });
});

test.each(operationRows.filter(([, operation]) => isKnown(operation) && operation.id !== 'events.follow'))(
  'the same request of %s is done with the key',
  async (_, operation) => {
    const server = await prepared();
    const before = await everything(server);
    const { method, path, init } = deedOf(operation, server.names);
    const answer = await server.input(method, path, { ...init, headers: bearer(adminKey) });
    expect(answer.status, answer.text).toBeLessThan(300);
    const isDeed = method !== 'GET' && !/^requests\.(?:verify|wait)$/.test(operation.id);
    if (isDeed) expect(await everything(server)).not.toEqual(before);
  },
);

describe('the order of the guards', () => {
  const wrongs = {
    host: { host: 'evil.example' },
    origin: { origin: 'null' },
    key: { authorization: 'Bearer wrong' },
  };
  test.each([
    [['host', 'origin', 'key'], 403, /host "evil\.example"/],
    [['origin', 'key'], 403, /another origin/],
    [['key'], 401, /^The key is not the admin key; use the key that the server printed/],
  ] as const)('of %j the first answers', async (names, status, words) => {
    const server = await prepared();
    const headers = Object.assign({}, ...names.map((name) => wrongs[name])) as Record<string, string>;
    const [answered, message] = told(await server.input('GET', '/_admin/sandboxes', { headers }));
    expect(answered).toBe(status);
    expect(message).toMatch(words);
  });

  test.each([
    ['POST', '/_admin/sandboxes', { raw: '{', headers: { 'content-type': 'application/json' } }],
    ['POST', '/_admin/sandboxes', { raw: '{}', headers: { 'content-type': 'text/plain' } }],
    ['PUT', '/_admin/sandboxes', {}],
    ['GET', '/_admin/nothing', {}],
    ['GET', '/_admin', {}],
    ['GET', '/_admin/sandboxes/unheard-of/clock', {}],
    ['GET', '/_admin/sandboxes/mine/requests?limit=none', {}],
  ])('stands before all else that is wrong with %s %s', async (method, path, init) => {
    const server = await prepared();
    expect((await server.input(method, path, init)).status).toBe(401);
  });

  test('no byte of a forbidden body is read', async () => {
    const server = await prepared();
    const pull = vi.fn();
    const raw = new ReadableStream({ pull }, { highWaterMark: 0 });
    const headers = { 'content-type': 'application/json' };
    expect((await server.input('POST', '/_admin/sandboxes', { raw, headers })).status).toBe(401);
    expect(pull).not.toHaveBeenCalled();
  });
});
