// Every flag of the server has its SACHET_ variable, one of a single run has none, and a flag beats the environment.
import { once } from 'node:events';
import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { commandLine } from '../../src/node/cli/command-line.ts';
import { validOrder } from '../cases/requests.ts';
import { call, folder, logIn, readyOf, sachet, serving } from '../support/command.ts';
import { fixtureFiles } from '../support/fixture-files.ts';

const flags = (await commandLine(['--help'])).commands.flatMap((command) =>
  command.options.map(({ long, envVar }) => ({ command: command.name(), flag: long ?? '', variable: envVar })),
);
const withVariable = flags.filter(({ variable }) => variable !== undefined);

test.each(withVariable)('$command $flag has a variable of its name', ({ flag, variable }) => {
  expect(variable).toBe(`SACHET_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`);
});

test('every flag of the server has one, and of other commands those that say what a server is like, or which is meant', () => {
  const ofServer = flags.filter(({ command }) => command === 'serve');
  expect(ofServer.filter(({ variable }) => variable === undefined)).toEqual([]);
  const shared = new Set([...ofServer.map(({ flag }) => flag), '--url', '--sandbox']);
  const others = flags.filter(({ command, flag }) => command !== 'serve' && flag !== '--json' && shared.has(flag));
  expect(others.filter(({ variable }) => variable === undefined)).toEqual([]);
  const ofRuns = flags.filter(({ command, flag }) => command !== 'serve' && (flag === '--json' || !shared.has(flag)));
  expect(new Set(ofRuns.map(({ flag }) => flag))).toEqual(
    new Set([
      ...['--control', '--follow', '--json', '--junit', '--env', '--only', '--timeout', '--settle', '--out'],
      ...['--all', '--parallel', '--output', '--seed', '--version'],
    ]),
  );
  expect(ofRuns.filter(({ variable }) => variable !== undefined)).toEqual([]);
});

/** The shipped fixtures with another first user. */
const fixturesOf = (username: string): string => {
  const files = fixtureFiles({ file: 'accounts.json', path: ['users', 0, 'username'], to: username });
  return folder(Object.fromEntries(files.map(({ name, content }) => [name, JSON.stringify(content)])));
};

/** What a server shows of its settings. */
async function shown(ready: Awaited<ReturnType<typeof readyOf>>) {
  const { url, username } = ready;
  const token = await logIn(ready);
  const list = await call('GET', `${url}/v2/fulfillments?limit=1`, { token });
  const [{ label_url, created_at }] = list.body.fulfillments;
  const tagged = await call('POST', `${url}/v2/authentication/token`, {
    body: { username: `${username}+w1`, password: ready.password },
  });
  return {
    username,
    nextCursor: 'meta' in list.body ? 'meta' : 'body',
    oldest: created_at < '2026-09-01',
    stamp: /X-Amz-Date=(\d{8}T)/.exec(label_url)?.[1],
    origin: new URL(label_url).origin,
    orders: (await call('GET', `${url}/v2/orders`, { token })).status,
    tagged: tagged.status,
  };
}

describe('the environment', () => {
  const variables = {
    SACHET_PORT: '0',
    SACHET_JSON: 'true',
    SACHET_ASSUME: 'next_cursor=meta,list_order=oldest_first',
    SACHET_PROFILE: 'strict',
    SACHET_CLOCK: '2031-01-02T03:04:05Z',
    SACHET_PUBLIC_URL: 'https://sandbox.example',
    SACHET_NO_LOGIN_SANDBOXES: 'true',
    SACHET_LOG: 'off',
  };

  test('sets what the flags set', async () => {
    const server = sachet([], { ...variables, SACHET_FIXTURES: fixturesOf('eve') });
    expect(await shown(await readyOf(server))).toEqual({
      username: 'eve',
      nextCursor: 'meta',
      oldest: true,
      stamp: '20310102T',
      origin: 'https://sandbox.example',
      orders: 404,
      tagged: 401,
    });
    expect(server.stderr).toBe('');
  });

  test('is beaten by a flag', async () => {
    const flagged = ['--assume', 'next_cursor=body', '--profile', 'default', '--clock', '2032-01-01T00:00:00Z'];
    const more = ['--public-url', 'https://flag.example', '--log', 'text', '--fixtures', fixturesOf('flo')];
    const server = await serving([...flagged, ...more], {
      ...variables,
      SACHET_PORT: 'none',
      SACHET_FIXTURES: '/nowhere',
    });
    expect(await shown(server.ready)).toMatchObject({
      username: 'flo',
      nextCursor: 'body',
      stamp: '20320101T',
      origin: 'https://flag.example',
      orders: 200,
    });
    await server.until('line of a call', ({ stderr }) => stderr.includes('/v2/orders'));
  });

  test('may be left alone: these are the defaults', async () => {
    const { ready } = await serving();
    const year = new Date().getUTCFullYear();
    expect(await shown(ready)).toEqual({
      username: 'demo',
      nextCursor: 'body',
      oldest: false,
      stamp: expect.stringMatching(new RegExp(`^(?:${year}|${year + 1})`)),
      origin: ready.url,
      orders: 200,
      tagged: 200,
    });
  });

  test('sets the address to listen on', async () => {
    const server = sachet(['--port', '0'], { SACHET_HOST: '203.0.113.7' });
    expect(await server.ended()).toBe(2);
    expect(server.stderr).toContain('203.0.113.7');
  });

  test('sets the seed: the same one gives the same tokens', async () => {
    const tokenOf = async (seed: string) =>
      logIn((await serving(['--clock', '2031-01-02T03:04:05Z'], { SACHET_RANDOM_SEED: seed })).ready);
    const [one, same, other] = await Promise.all([tokenOf('a'), tokenOf('a'), tokenOf('b')]);
    expect(one).toBe(same);
    expect(one).not.toBe(other);
  });
});

describe('what reaches the server by flag, or by variable', () => {
  /** Starts once by these flags and once by their variables. */
  const started = async (flags: Readonly<Record<string, string>>) => {
    const args = Object.entries(flags).flatMap(([name, value]) => (value === 'true' ? [name] : [name, value]));
    const env = Object.entries(flags).map(([name, value]) => [
      `SACHET_${name.slice(2).replaceAll('-', '_').toUpperCase()}`,
      value,
    ]);
    const servers = await Promise.all([serving(args), serving([], Object.fromEntries(env))]);
    return servers.map(({ ready }) => ready);
  };

  test('--scenario: every sandbox begins with it', async () => {
    const mine = { intent: 'To see.', right_client: 'Looks.', switches: { maintenance: { for_seconds: 60 } } };
    const scenarios = folder({ 'mine.json': JSON.stringify(mine) });
    for (const { url } of await started({ '--scenarios': scenarios, '--scenario': 'mine,no-pag' })) {
      for (const base of [url, `${url}/sandboxes/production`])
        expect((await call('GET', `${base}/v2/products`)).status).toBe(500);
    }
  });

  test('--no-debug-headers', async () => {
    const hasThem = async (url: string) => (await fetch(`${url}/v2/products`)).headers.has('sandbox-request-id');
    for (const { url } of await started({ '--no-debug-headers': 'true' })) expect(await hasThem(url)).toBe(false);
    expect(await hasThem((await serving()).ready.url)).toBe(true);
  });

  test('--max-sandboxes: with room for stage and production, no login makes a third', async () => {
    for (const ready of await started({ '--max-sandboxes': '2' })) {
      const { url, username, password } = ready;
      for (const base of [url, `${url}/sandboxes/production`]) await call('GET', `${base}/v2/products`);
      const body = { username: `${username}+w1`, password };
      expect((await call('POST', `${url}/v2/authentication/token`, { body })).status).not.toBe(200);
      expect(await logIn(ready)).toBeTruthy();
    }
  });

  test('--allowed-hosts and --admin-key: the control API answers under that name', async () => {
    for (const { url } of await started({ '--allowed-hosts': 'sachet,b.test', '--admin-key': 'my-own-key' })) {
      expect(await statusUnder('sachet', url)).toBe(200);
      expect(await statusUnder('elsewhere', url)).toBe(403);
    }
  });

  /** The status of a call of the control API under this host name, which fetch does not let one choose. */
  const statusUnder = async (host: string, url: string): Promise<number | undefined> => {
    const headers = { host, authorization: 'Bearer my-own-key', connection: 'close' };
    const [response] = await once(get(`${url}/_admin/sandboxes`, { headers }), 'response');
    response.resume();
    return response.statusCode;
  };
});

test('--assume may be repeated and holds several by commas', async () => {
  const { ready } = await serving([
    '--assume',
    'next_cursor=meta,single_read_body=bare',
    '--assume',
    'list_order=oldest_first',
  ]);
  expect(await shown(ready)).toMatchObject({ nextCursor: 'meta', oldest: true });
});

test('--clock with a plus at its end runs on from there, and without stands', async () => {
  const clocks = ['2031-01-02T03:04:05.000Z', '2031-01-02T03:04:05.000Z+'];
  const made = clocks.map(async (clock) => {
    const { ready } = await serving(['--clock', clock, '--assume', 'order_fields=echo']);
    const token = await logIn(ready);
    return async () =>
      (await call('POST', `${ready.url}/v2/orders`, { token, body: validOrder })).body.order.created_at;
  });
  const [standing, running] = await Promise.all(made);
  expect([await standing?.(), await standing?.()]).toEqual(['2031-01-02T03:04:05.000Z', '2031-01-02T03:04:05.000Z']);
  const first = await running?.();
  expect(first).toMatch(/^2031-01-02T03:0/);
  await expect.poll(async () => running?.()).not.toBe(first);
});
