// `sachet requests` prints the journal and follows it over broken connections; `sachet report` prints the conduct report.
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { conductRuleIds } from '../../src/contract/control/conduct.ts';
import { serve } from '../../src/node/serve.ts';
import { call, folder, freePort, listening, resultOf, sachet, serving } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { readXml } from './xml.ts';

const adminKey = 'fake-admin-key';
const withKey = { SACHET_ADMIN_KEY: adminKey };
const run = (args: readonly string[], env: Readonly<Record<string, string>> = withKey) =>
  resultOf(sachetHere(args, env));

/** An entry of the journal. */
const entry = (id: string, more: object = {}) => ({
  ...{ id, completed: true, received_at: '2026-01-02T03:04:05.678Z', method: 'GET', path: '/v2/products', status: 200 },
  ...{ rules: [], duration_ms: 1.25, decision: { sentence: 'All is well.', faults: [] } },
  ...more,
});

/** A server that responds like the journal of the sandbox `stage`, and can break its connections. */
async function fakeJournal(requests: readonly object[] = []) {
  let stream: ServerResponse | undefined;
  /** The Last-Event-ID of each connection to the events. */
  const connections: (string | undefined)[] = [];
  const journal = { requests, connections, status: undefined as number | undefined };
  const server = createServer(({ url, headers }, response) => {
    const isKnown = journal.status === undefined && headers.authorization === `Bearer ${adminKey}`;
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (isKnown && url === '/_admin/sandboxes/stage/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 50\n\n: here\n\n');
      stream = response;
      connections.push(headers['last-event-id'] as string | undefined);
    } else if (isKnown && url === '/_admin/sandboxes/stage/requests')
      send(200, { requests: journal.requests, dropped: 0, oldest: null });
    else send(journal.status ?? (isKnown ? 404 : 401), { message: 'So it is.' });
  });
  onTestFinished(() => server.closeAllConnections());
  return Object.assign(journal, {
    url: `http://127.0.0.1:${await listening(server)}`,
    write: (bytes: string | Uint8Array): void => void stream?.write(bytes),
    break: (): void => void stream?.destroy(),
  });
}

describe('requests', () => {
  test('prints a line per request, with the reason of a rejection; no text can forge a line', async () => {
    const { url } = await fakeJournal([
      entry('a'),
      entry('b', {
        ...{ method: 'POST', path: '/v2/orders', status: 422, rules: ['ORD-15', 'ORD-16'] },
        decision: { sentence: 'The city is too long.', faults: [] },
      }),
      entry('c', { status: null, duration_ms: null, decision: null }),
      entry('d', { path: '/v2/x\n\u001b[2J', status: 404, decision: { sentence: 'a\u2028b\u202ec', faults: [] } }),
    ]);
    const { code, stdout, stderr } = await run(['requests', '--url', url]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      '2026-01-02T03:04:05.678Z GET /v2/products 200 - 1.3 ms',
      '2026-01-02T03:04:05.678Z POST /v2/orders 422 ORD-15,ORD-16 1.3 ms The city is too long.',
      '2026-01-02T03:04:05.678Z GET /v2/products - - -',
    ]);
    expect(stdout).toMatch(/^[\n\x20-\x7e]*$/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(4);
  });

  test('--json prints each entry as it is', async () => {
    const journal = await fakeJournal([entry('a', { more: { than: 'known' } })]);
    const { stdout } = await run(['requests', '--json', '--url', `${journal.url}/`, '--admin-key', adminKey], {});
    expect(JSON.parse(stdout)).toEqual(journal.requests[0]);
  });
});

describe('requests --follow', () => {
  const event = (id: number, data: object, name = 'request'): string =>
    `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const pathsIn = (stdout: string): readonly string[] => stdout.match(/(?<= GET )\S+/g) ?? [];

  test('prints each request once, when it is complete, also after a broken connection, until the sandbox is gone', async () => {
    const inFlight = entry('b', { path: '/b', completed: false, status: null, duration_ms: null, decision: null });
    const journal = await fakeJournal([entry('a', { path: '/a' }), inFlight]);
    const command = sachet(['requests', '--follow', '--url', journal.url], withKey);
    const printed = (path: string) => command.until(path, ({ stdout }) => pathsIn(stdout).includes(path));
    await printed('/a');
    journal.write(event(1, entry('a', { path: '/a' })));
    journal.write(event(2, { now: 'x' }, 'clock'));
    for (const byte of Buffer.from(event(3, entry('c', { path: '/cé' })))) journal.write(Uint8Array.of(byte));
    await printed('/cé');
    journal.write(event(4, entry('b', { path: '/b' })));
    await printed('/b');
    journal.break();
    await expect.poll(() => journal.connections.length).toBe(2);
    journal.write(event(8, entry('d', { path: '/d' })));
    await printed('/d');
    expect(journal.connections).toEqual([undefined, '4']);
    expect(pathsIn(command.stdout)).toEqual(['/a', '/cé', '/b', '/d']);
    expect(command.stderr).toBe('sachet: lost the connection; reconnecting\n');
    journal.write('event: missed\ndata: {}\n\n');
    await command.until('note', ({ stderr }) => /some requests are not shown [^\n]*\n$/.test(stderr));
    journal.status = 404;
    journal.break();
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toMatch(/no sandbox "stage" at [^\n]*\n$/);
  });

  test('works with a real server, whose end breaks the connection', async () => {
    const server = await serving(['--admin-key', adminKey, '--clock', '2031-01-02T03:04:05Z']);
    const { url } = server.ready;
    await call('GET', `${url}/v2/nothing`);
    const command = sachet(['requests', '--follow', '--url', url], withKey);
    await command.until('former call', ({ stdout }) => stdout.includes('/v2/nothing 404'));
    await call('GET', `${url}/v2/products`);
    const line = /^2031-01-02T03:04:05\.000Z GET \/v2\/products 401 \S+ \d+\.\d ms \S.+$/m;
    await command.until('later call', ({ stdout }) => line.test(stdout));
    expect((await run(['requests', '--url', url])).stdout).toMatch(line);
    server.child.kill('SIGTERM');
    expect(await server.ended()).toBe(0);
    await command.until('note', ({ stderr }) => stderr.includes('reconnecting'));
    command.child.kill('SIGINT');
    expect(await command.ended()).toBe(0);
  });
});

describe('report', () => {
  /** A server whose client met a 429; an impatient one came back at once. */
  async function called(isImpatient: boolean) {
    const server = await serve({ clock: '2031-01-02T03:04:05Z' });
    onTestFinished(() => server.close());
    const stage = server.sandbox('stage');
    const client = stage.client({ username: 'demo', password: 'sachet-demo' });
    await client.get('/v2/products');
    await stage.switches.set({ rate_limit: { burst: 1 } });
    await client.get('/v2/products');
    if (!isImpatient) await stage.clock.advance({ seconds: 60 });
    await client.get('/v2/products');
    const report = (...args: readonly string[]) =>
      run(['report', '--url', server.baseUrl, '--admin-key', server.adminKey, ...args], {});
    return { stage, report };
  }
  const rowIn = (stdout: string, rule: string) => new RegExp(`^${rule} .*`, 'm').exec(stdout)?.[0].split(/ {2,}/);

  test('prints a line per rule, and ends with 0 if no rule failed', async () => {
    const { report } = await called(false);
    const file = join(folder(), 'conduct.xml');
    const { code, stdout, stderr } = await report('--junit', file);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, -2).map((line) => line.split(' ')[0])).toEqual(conductRuleIds);
    expect(lines.slice(-2)).toEqual(['', '3 passed, 0 failed, 9 not exercised']);
    expect(rowIn(stdout, 'retry_after')).toEqual(['retry_after', 'pass', '1 request']);
    expect(rowIn(stdout, 'token_reuse')).toEqual(['token_reuse', 'pass', '2 requests']);
    expect(rowIn(stdout, 'fresh_label')).toEqual(['fresh_label', 'not_exercised']);
    expect(readXml(readFileSync(file, 'utf8')).attributes).toMatchObject({ tests: '12', failures: '0' });
    const empty = await report('--sandbox', 'production');
    expect([empty.code, empty.stderr]).toEqual([0, expect.stringMatching(/sandbox "production".*--sandbox/)]);
  });

  test('prints a failed rule with its advice and its requests, and ends with 1; --json prints the document', async () => {
    const { stage, report } = await called(true);
    const { code, stdout, stderr } = await report();
    expect([code, stderr]).toEqual([1, '']);
    expect(rowIn(stdout, 'retry_after')).toEqual(['retry_after', 'fail', '2 requests']);
    const [limited, again] = (await stage.requests.list()).requests.slice(-2).map(({ id }) => id);
    const lines = stdout.split('\n');
    expect(lines.slice(lines.findIndex((line) => line.startsWith('retry_after')) + 1).slice(0, 4)).toEqual([
      expect.stringMatching(
        /^ {2}The client called products\.list 0 s after a 429 [^\n]*\. After a 429, wait for the seconds /,
      ),
      expect.stringMatching(`^  ${limited} 2031-01-02T03:04:05\\.000Z GET /v2/products 429 `),
      expect.stringMatching(`^  ${again} 2031-01-02T03:04:05\\.000Z GET /v2/products 200 `),
      expect.stringMatching(/^backoff_on_500 /),
    ]);
    const json = await report('--json');
    expect(json.stdout).toMatch(/^\{.*\}\n$/);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([1, await stage.report.get()]);
    for (let n = 0; n < 20; n += 1) await Promise.all(Array.from({ length: 50 }, () => stage.fetch('/v2/nothing')));
    expect((await report()).stdout).toContain(`  ${limited} (no longer in the journal)\n`);
  });
});

describe.each([[['requests']], [['requests', '--follow']], [['report']]])('%j ends with one line', (args) => {
  async function error(more: readonly string[], env = withKey as Readonly<Record<string, string>>) {
    const { code, stdout, stderr } = await run([...args, ...more], env);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^sachet: [^\n]+\n$/);
    expect(stderr).not.toContain('wrong-key');
    return `${code} ${stderr}`;
  }

  test('about the server: no server, a wrong key, no such sandbox, an error, another program', async () => {
    const journal = await fakeJournal();
    expect(await error(['--url', journal.url, '--admin-key', 'wrong-key'])).toContain(
      '1 sachet: the admin key does not work',
    );
    expect(await error(['--url', journal.url, '--sandbox', 'w9'])).toMatch(/^1 .*no sandbox "w9"/);
    journal.status = 500;
    expect(await error(['--url', journal.url])).toMatch(/^1 .*answered 500: So it is\./);
    const other = await listening(createServer((_, response) => void response.end('<html>')));
    expect(await error(['--url', `http://127.0.0.1:${other}`])).toMatch(/^1 .*does not answer like a Sachet/);
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await error(['--url', url])).toContain(`1 sachet: no server answers at ${url} (ECONNREFUSED)`);
  });

  test('about a usage error: no admin key, an invalid URL', async () => {
    expect(await error([], {})).toMatch(/^2 .*--admin-key or SACHET_ADMIN_KEY/);
    const message = /^2 .*--url.*"localhost:4010" is not an http or https URL/;
    expect(await error(['--url', 'localhost:4010'])).toMatch(message);
  });
});
