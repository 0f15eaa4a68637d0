// `sachet requests` prints the journal a line per request, follows it over broken connections, and says why when it cannot.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../src/node/serve.ts';
import { call, sachet, serving } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { entry, fakeJournal, fakeKey } from '../support/fake-journal.ts';

const withKey = { SACHET_ADMIN_KEY: fakeKey };
const event = (id: number, data: object, name = 'request'): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

describe('the journal so far', () => {
  test('a line each, and for a refusal why', async () => {
    const journal = await fakeJournal();
    journal.requests = [
      entry('a'),
      entry('b', {
        method: 'POST',
        path: '/v2/orders',
        status: 422,
        rules: ['ORD-15', 'ORD-16'],
        decision: { sentence: 'The city is too long.', faults: [] },
      }),
      entry('c', { status: null, duration_ms: null, decision: null }),
    ];
    const command = sachetHere(['requests', '--url', journal.url], withKey);
    expect(await command.ended(), command.stderr).toBe(0);
    expect(command.stdout).toBe(
      [
        '2026-01-02T03:04:05.678Z GET /v2/products 200 - 1.3 ms',
        '2026-01-02T03:04:05.678Z POST /v2/orders 422 ORD-15,ORD-16 1.3 ms The city is too long.',
        '2026-01-02T03:04:05.678Z GET /v2/products - - -',
        '',
      ].join('\n'),
    );
  });

  test('--json prints each as it came', async () => {
    const journal = await fakeJournal();
    journal.requests = [entry('a', { more: { than: 'known' } })];
    const command = sachetHere(['requests', '--json', '--url', `${journal.url}/`, '--admin-key', fakeKey]);
    expect(await command.ended(), command.stderr).toBe(0);
    expect(JSON.parse(command.stdout)).toEqual(journal.requests[0]);
  });

  test('what a request holds cannot forge a line', async () => {
    const journal = await fakeJournal();
    journal.requests = [
      entry('a', { path: '/v2/x\n\u001b[2J', status: 404, decision: { sentence: 'a\u2028b\u202ec', faults: [] } }),
    ];
    const command = sachetHere(['requests', '--url', journal.url], withKey);
    await command.ended();
    expect(command.stdout).toMatch(/^[\n\x20-\x7e]*$/);
    expect(command.stdout.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('--follow', () => {
  /** The paths of the lines printed so far. */
  const pathsOf = (stdout: string): (string | undefined)[] =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[2]);

  async function following(...former: readonly object[]) {
    const journal = await fakeJournal();
    journal.requests = former;
    const command = sachet(['requests', '--follow', '--url', journal.url], withKey);
    const printed = (path: string) => command.until(path, ({ stdout }) => pathsOf(stdout).includes(path));
    return { journal, command, printed };
  }

  test('prints what was and what comes, each once, until Ctrl-C', async () => {
    const { journal, command, printed } = await following(entry('a', { path: '/a' }), entry('b', { path: '/b' }));
    await printed('/b');
    journal.write(event(1, entry('b', { path: '/b' })));
    journal.write(event(2, { now: 'x' }, 'clock'));
    const late = event(3, entry('c', { path: '/cé' }));
    for (const byte of Buffer.from(late)) journal.write(Uint8Array.of(byte));
    await printed('/cé');
    journal.write(event(4, entry('d', { path: '/d' })));
    await printed('/d');
    expect(pathsOf(command.stdout)).toHaveLength(4);
    command.child.kill('SIGINT');
    expect(await command.ended()).toBe(0);
    expect(command.stderr).toBe('');
  });

  test('goes on after a broken connection from where it broke', async () => {
    const { journal, command, printed } = await following(entry('a', { path: '/a' }));
    await printed('/a');
    journal.write(event(7, entry('b', { path: '/b' })));
    await printed('/b');
    journal.break();
    await expect.poll(() => journal.connections.length).toBe(2);
    journal.write(event(8, entry('c', { path: '/c' })));
    await printed('/c');
    expect(journal.connections).toEqual([undefined, '7']);
    expect(pathsOf(command.stdout)).toEqual(['/a', '/b', '/c']);
    expect(command.stderr).toBe('sachet: lost the connection; reconnecting\n');
  });

  test('says when requests were missed meanwhile', async () => {
    const { journal, command, printed } = await following(entry('a', { path: '/a' }));
    await printed('/a');
    journal.write('event: missed\ndata: {}\n\n');
    await command.until('word of it', ({ stderr }) => /some requests are not shown [^\n]*\n$/.test(stderr));
  });

  test('prints a call once it is answered', async () => {
    const inFlight = entry('a', { path: '/a', completed: false, status: null, duration_ms: null, decision: null });
    const { journal, command, printed } = await following(inFlight, entry('b', { path: '/b' }));
    await printed('/b');
    journal.write(event(1, entry('a', { path: '/a' })));
    await printed('/a');
    expect(pathsOf(command.stdout)).toEqual(['/b', '/a']);
  });

  test('ends when the sandbox is gone after a break', async () => {
    const { journal, command, printed } = await following(entry('a', { path: '/a' }));
    await printed('/a');
    journal.status = 404;
    journal.break();
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toMatch(/no sandbox "stage" at [^\n]*\n$/);
  });

  test('ends by SIGINT while it waits for a connection', async () => {
    const { journal, command, printed } = await following(entry('a', { path: '/a' }));
    await printed('/a');
    journal.write('retry: 15000\n\n');
    journal.write(event(1, entry('b', { path: '/b' })));
    await printed('/b');
    journal.break();
    await command.until('word of the break', ({ stderr }) => stderr.includes('reconnecting'));
    command.child.kill('SIGINT');
    expect(await command.ended()).toBe(0);
  });

  test('ends when nobody reads it any more', async () => {
    const { journal, command, printed } = await following(entry('a', { path: '/a' }));
    await printed('/a');
    command.child.stdout?.destroy();
    for (let id = 1; id < 4; id += 1) journal.write(event(id, entry(`n${id}`)));
    expect(await command.ended()).toBe(0);
  });

  test('an event that is none of the journal ends it', async () => {
    const { journal, command, printed } = await following(entry('a', { path: '/a' }));
    await printed('/a');
    journal.write('event: request\ndata: {"id": 1\n\n');
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toMatch(/^sachet: http[^\n]* does not answer like a Sachet server[^\n]*\n$/);
  });
});

describe('of a real server', () => {
  const start = () => serving(['--admin-key', fakeKey, '--clock', '2031-01-02T03:04:05Z']);
  const refusedCall = /^2031-01-02T03:04:05\.000Z GET \/v2\/products 401 \S+ \d+\.\d ms \S.+$/m;

  test('what it received is printed', async () => {
    const { url } = (await start()).ready;
    await call('GET', `${url}/v2/products`);
    const command = sachet(['requests', '--url', url], withKey);
    expect(await command.ended(), command.stderr).toBe(0);
    expect(command.stdout).toMatch(refusedCall);
  });

  test('what it receives is followed, and its end is a broken connection', async () => {
    const server = await start();
    const { url } = server.ready;
    await call('GET', `${url}/v2/nothing`);
    const command = sachet(['requests', '--follow', '--url', url], withKey);
    await command.until('call before', ({ stdout }) => stdout.includes('/v2/nothing 404'));
    await call('GET', `${url}/v2/products`);
    await command.until('call after', ({ stdout }) => refusedCall.test(stdout));
    server.child.kill('SIGTERM');
    expect(await server.ended()).toBe(0);
    await command.until('word of the break', ({ stderr }) => stderr.includes('reconnecting'));
    command.child.kill('SIGINT');
    expect(await command.ended()).toBe(0);
  });

  test('a wrong key and an unknown sandbox are told', async () => {
    const server = await serve({ adminKey: fakeKey });
    onTestFinished(() => server.close());
    const told = async (args: readonly string[]) => {
      const command = sachetHere(['requests', '--url', server.baseUrl, ...args], withKey);
      return [await command.ended(), command.stderr];
    };
    const wrong = await told(['--admin-key', 'wrong-key']);
    expect(wrong).toEqual([1, expect.stringMatching(/^sachet: the admin key does not work/)]);
    const unknown = await told(['--sandbox', 'w9']);
    expect(unknown).toEqual([1, expect.stringMatching(/^sachet: no sandbox "w9"/)]);
  });
});

describe.each([[['requests']], [['requests', '--follow']]])('%j says in one sentence', (args) => {
  async function refused(more: readonly string[], env: Readonly<Record<string, string>> = withKey) {
    const command = sachetHere([...args, ...more], env);
    const code = await command.ended();
    expect(command.stdout).toBe('');
    expect(command.stderr).toMatch(/^sachet: [^\n]+\n$/);
    return { code, stderr: command.stderr };
  }

  test('that no server is there', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { code, stderr } = await refused(['--url', `http://localhost:${port}`]);
    expect(code).toBe(1);
    expect(stderr).toContain(`no server answers at http://localhost:${port} (ECONNREFUSED)`);
  });

  test('that the key is wrong, without telling it', async () => {
    const { url } = await fakeJournal();
    const { code, stderr } = await refused(['--url', url, '--admin-key', 'wrong-key']);
    expect(code).toBe(1);
    expect(stderr).toContain('admin key');
    expect(stderr).not.toContain('wrong-key');
  });

  test('that there is no such sandbox', async () => {
    const { url } = await fakeJournal();
    const { code, stderr } = await refused(['--url', url, '--sandbox', 'w9']);
    expect({ code, told: stderr.includes('no sandbox "w9"') }).toEqual({ code: 1, told: true });
  });

  test('that the server failed', async () => {
    const journal = await fakeJournal();
    journal.status = 500;
    const { code, stderr } = await refused(['--url', journal.url]);
    expect({ code, told: stderr.includes('answered 500: So it is.') }).toEqual({ code: 1, told: true });
  });

  test('that something else answers', async () => {
    const server = createServer((_, response) => void response.end('<html>')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { code, stderr } = await refused(['--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
    expect({ code, told: stderr.includes('does not answer like a Sachet') }).toEqual({ code: 1, told: true });
  });

  test.each([
    ['that the admin key is missing', [], {}, /--admin-key or SACHET_ADMIN_KEY/],
    ['that a key is invalid', ['--admin-key', 'a b'], {}, /at least 8 visible/],
    ['that a sandbox name is invalid', ['--sandbox', '../x'], withKey, /--sandbox.*"\.\.\/x" is not a sandbox name/],
    ['that a URL is none', ['--url', 'localhost:4010'], withKey, /--url.*"localhost:4010" is not an http or https URL/],
  ])('%s', async (_, more, env, words) => {
    const { code, stderr } = await refused(more, env);
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });
});
