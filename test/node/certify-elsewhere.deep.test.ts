// `sachet certify` over a client that calls by itself: it is told what to do, waited for until it is quiet, and its sandbox loses nothing.
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServiceClient } from '../../src/client/sandbox.ts';
import { readScenarios } from '../../src/contract/scenarios.ts';
import { type ServeOptions, serve } from '../../src/node/serve.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { broken, failed, reportOf } from '../support/certify.ts';
import { type Command, sachet } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { fakeJournal } from '../support/fake-journal.ts';
import { inMachineTime } from '../support/machine-time.ts';

/** Longer than any test: where it is waited out, the test fails. */
const patient = ['--timeout', '600'];

/** A server with a client that is logged in, and a walk over it. */
async function walking(args: readonly string[], options: ServeOptions = {}) {
  const server = await serve(options);
  onTestFinished(() => server.close());
  const stage = server.sandbox('stage');
  const client = stage.client({ username: 'demo', password: 'sachet-demo' });
  const words = ['certify', '--json', '--url', server.baseUrl, '--admin-key', server.adminKey, ...args];
  const start = (...more: readonly string[]) => sachetHere([...words, ...more]);
  /** As a process, which takes signals. */
  const spawn = () => sachet(words);
  return { server, stage, client, start, spawn };
}

/** Waits until this scenario is waited for. */
const awaited = (running: Command, name: string): Promise<void> =>
  running.until(
    name,
    ({ stderr }) => stderr.split('\n').some((line) => line.includes(` ${name}: `)) && waits(stderr, name),
  );

const waits = (stderr: string, name: string): boolean => /\n {4}\S/.test(stderr.slice(stderr.indexOf(` ${name}: `)));

const order = (client: ServiceClient): Promise<unknown> =>
  client.post('/v2/orders', sampleOrder()).catch(() => undefined);

/** Looks for its order, reads its fulfillments, and downloads a label. */
async function follow(client: ServiceClient): Promise<void> {
  const { orders } = (await (await client.get('/v2/orders')).json()) as { orders: { id: string }[] };
  await client.get(`/v2/orders/${orders[0]?.id}/fulfillments`);
  const { fulfillments } = (await (await client.get('/v2/fulfillments')).json()) as {
    fulfillments: { label_url: string }[];
  };
  await fetch(fulfillments[0]?.label_url ?? '');
}

/** A way to a server that gives no answer to some calls; `held` tells of the first of them. */
async function holding(to: string, isHeld: (path: string) => boolean) {
  let tell: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const server = createServer((request, response) => {
    const { url = '', method = '', headers } = request;
    if (isHeld(url)) return tell();
    request.pipe(
      ask(to + url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      }).on('error', () => response.destroy()),
    );
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, held };
}

const mine = (file: object) =>
  readScenarios([{ name: 'mine.json', content: { intent: 'To see.', right_client: 'Looks.', ...file } }]);

describe('a client that does what it shall', () => {
  test('is walked through one scenario after the other', async () => {
    const { client, start } = await walking([...patient, '--settle', '0.2', '--only', 'lost-answer,inactive-pag']);
    const running = start('--seed', 'elsewhere');
    for (const name of ['inactive-pag', 'lost-answer']) {
      await awaited(running, name);
      await order(client);
      await follow(client);
    }
    const report = await reportOf(running);
    expect(failed(report)).toEqual([]);
    expect(report).toMatchObject({ code: 0, certified: true, client: null, seed: 'elsewhere', sandbox: 'stage' });
    expect(report.scenarios.map(({ name }) => name)).toEqual(['inactive-pag', 'lost-answer']);
  });

  test('is told what is waited for, and what a right client does', async () => {
    const { client, start, server } = await walking([...patient, '--settle', '0.2', '--only', 'lost-answer']);
    const running = start();
    await awaited(running, 'lost-answer');
    await order(client);
    await follow(client);
    await running.ended();
    expect(running.stderr.replace(/before-certify-[0-9a-z]{8}/, 'NAME').replace(/[\d.]+ s$/m, 'T s')).toBe(
      [
        'Saved the sandbox as its snapshot "NAME"; it is restored at the end.',
        `Certifying the client that calls ${server.baseUrl}.`,
        '1/1 lost-answer: The next order that the service accepts is stored, but the connection breaks before the response arrives. Shows whether a client orders twice.',
        '  A correct client: Does not know whether the order exists, so it checks before it sends the order again: it finds the order and continues with its id. If it cannot check, because the service has no such endpoint, it does not send the order again, and reports it. It sends one order for each order that it wants.',
        '  Waiting up to 600 s for:',
        '    orders.create: exactly 1',
        '    order_followed: read every order that it placed, or the fulfillments of that order, by the id of the order',
        '    label_downloaded: download a label',
        '  pass after T s',
        '',
      ].join('\n'),
    );
  });
});

test('days pass once it has placed its order', async () => {
  const { client, start } = await walking([...patient, '--settle', '0.2', '--only', 'doorstep']);
  await order(client);
  const running = start();
  await awaited(running, 'doorstep');
  await order(client);
  await follow(client);
  await running.until('ten days', ({ stderr }) => stderr.includes("  The sandbox's clock has advanced by P10D.\n"));
  await follow(client);
  const report = await reportOf(running);
  expect(report.scenarios[0]).toMatchObject({
    outcome: 'pass',
    outcomes: [{ id: 'order_followed' }, { id: 'order_delivered', reached: true }, { id: 'label_downloaded' }],
  });
});

describe('a client is waited for until it is quiet', () => {
  test('so that what it does too often is seen, which ends the wait at once', async () => {
    const { client, start } = await walking([...patient, '--settle', '600', '--only', 'lost-answer']);
    const running = start();
    await awaited(running, 'lost-answer');
    await order(client);
    await order(client);
    const report = await reportOf(running);
    expect([report.code, failed(report)]).toEqual([1, ['lost-answer']]);
    expect(report.scenarios[0]?.expect).toMatchObject([{ came: 2, satisfied: false }]);
    expect(broken(report)).toEqual(['lost-answer: no_double_submit']);
  });

  test('and a call that has no answer yet is no quiet', async () => {
    const delay = { milliseconds: 600 };
    const scenarios = mine({
      faults: [{ match: { operation: 'orders.create' }, delay }],
      expect: [
        { match: { operation: 'products.list' }, count: 1 },
        { match: { operation: 'orders.create' }, count: { at_most: 1 } },
      ],
    });
    const { client, stage, start } = await walking([...patient, '--settle', '0.3', '--only', 'mine'], { scenarios });
    const running = start();
    await awaited(running, 'mine');
    const ordered = order(client);
    const orders = async () => (await stage.requests.list({ operation: 'orders.create' })).requests.length;
    await expect.poll(orders).toBe(1);
    await client.get('/v2/products');
    const report = await reportOf(running);
    await ordered;
    expect(report.scenarios[0]?.expect.map(({ came }) => came)).toEqual([1, 1]);
  });

  test('but not for ever', async () => {
    const { client, start } = await walking([...patient, '--settle', '0.2', '--only', 'mine'], { scenarios: mine({}) });
    const running = start();
    let isOver = false;
    const calling = (async () => {
      while (!isOver) await client.get('/v2/products').catch(() => undefined);
    })();
    const report = await reportOf(running);
    isOver = true;
    await calling;
    expect(report).toMatchObject({ certified: true, scenarios: [{ name: 'mine', outcome: 'pass' }] });
  });
});

describe('what does not come', inMachineTime, () => {
  test('fails its scenario when the time is up, with what came instead', async () => {
    const { client, start } = await walking(['--timeout', '2', '--settle', '0.1', '--only', 'lost-answer,no-pag']);
    const running = start('--seed', 'b');
    await awaited(running, 'lost-answer');
    await client.get('/v2/products');
    await awaited(running, 'no-pag');
    const report = await reportOf(running);
    expect(failed(report)).toEqual(['lost-answer', 'no-pag']);
    expect(report.scenarios.map(({ note }) => note)).toEqual([null, 'no call came within 2 s']);
    expect(running.stderr).toContain('s: expected exactly 1 of orders.create, but 0 came\n');
  });

  test('ends the walk where nobody has called at all', async () => {
    const { server, stage, start } = await walking(['--timeout', '0.2', '--only', 'discontinued-product']);
    await stage.switches.set({ inactive_pags: { all: true } });
    const running = start();
    expect([await running.ended(), running.stdout]).toEqual([1, '']);
    expect(running.stderr).toContain(`\nsachet: no call came to ${server.baseUrl} within 0.2 s; point a client there`);
    expect(running.stderr).toMatch(
      /the console page Start here lists its logins[^\n]*; expected orders\.create, rule ORD-20: exactly 1; label_downloaded: download a label\n$/,
    );
    expect((await stage.switches.get()).inactive_pags).toMatchObject({ all: true });
    expect((await stage.snapshots.list()).snapshots).toEqual([]);
  });
});

describe('the sandbox loses nothing', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s', async (signal, code) => {
    const { client, stage, spawn } = await walking(patient);
    await order(client);
    await stage.switches.set({ rate_limit: { burst: 7 } });
    const orders = await stage.records.orders.list();
    const running = spawn();
    await running.until('a scenario', ({ stderr }) => stderr.includes('  Waiting up to '));
    expect((await stage.switches.get()).rate_limit).toBeNull();
    running.child.kill(signal);
    expect([await running.ended(), running.stdout]).toEqual([code, '']);
    expect(running.stderr).not.toContain('sachet:');
    expect(await stage.records.orders.list()).toEqual(orders);
    expect((await stage.switches.get()).rate_limit).toMatchObject({ remaining: 7 });
    expect((await stage.snapshots.list()).snapshots).toEqual([]);
  });

  test('by a Ctrl-C that comes twice at once', async () => {
    const { stage, spawn } = await walking(patient);
    await stage.switches.set({ rate_limit: { burst: 7 } });
    const running = spawn();
    await running.until('a scenario', ({ stderr }) => stderr.includes('  Waiting up to '));
    running.child.kill('SIGINT');
    running.child.kill('SIGTERM');
    expect([130, 143]).toContain(await running.ended());
    expect(running.stderr).toContain('\nStopping; restoring the sandbox.\n');
    expect((await stage.switches.get()).rate_limit).toMatchObject({ remaining: 7 });
    expect((await stage.snapshots.list()).snapshots).toEqual([]);
  });

  test('but by a second one later, which tells what was kept', async () => {
    const { server, stage } = await walking([]);
    const isHeld = (path: string) => path.endsWith('/restore');
    const { url, held } = await holding(server.baseUrl, isHeld);
    const running = sachet(['certify', ...patient, '--url', url, '--admin-key', server.adminKey]);
    await running.until('a scenario', ({ stderr }) => stderr.includes('  Waiting up to '));
    running.child.kill('SIGINT');
    await held;
    // What comes within a second counts as the same.
    const endedBy = () => {
      running.child.kill('SIGINT');
      return running.child.exitCode;
    };
    await expect.poll(endedBy).toBe(130);
    await running.ended();
    const [kept] = (await stage.snapshots.list()).snapshots;
    expect(running.stderr).toContain(
      `The sandbox was not restored; its former state is in its snapshot "${kept?.name}"`,
    );
  });

  test('where another walk has it', async () => {
    const { stage, start } = await walking(patient);
    await stage.switches.set({ rate_limit: { burst: 7 } });
    const name = 'before-certify-0123abcd';
    await stage.snapshots.create({ name });
    const running = start();
    expect([await running.ended(), running.stdout]).toEqual([1, '']);
    expect(running.stderr).toMatch(
      /^sachet: [^\n]*"before-certify-0123abcd": wait until it ends; [^\n]*POST …\/snapshots\/before-certify-0123abcd\/restore, then delete [^\n]*\n$/,
    );
    expect((await stage.switches.get()).rate_limit).toMatchObject({ remaining: 7 });
    expect((await stage.snapshots.list()).snapshots).toMatchObject([{ name }]);
  });

  test('and the calls of the walk are not judged later', async () => {
    const { stage, client, start } = await walking([...patient, '--settle', '600', '--only', 'lost-answer']);
    const running = start();
    await awaited(running, 'lost-answer');
    await order(client);
    await order(client);
    expect((await reportOf(running)).code).toBe(1);
    const { rules } = await stage.report.get();
    expect(rules.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
  });

  test('where it is another than stage, by a key of its own', async () => {
    const { server } = await walking([]);
    const made = await server.createSandbox({ name: 'acme', own_key: true });
    await made.switches.set({ inactive_pags: { all: true } });
    // As a partner was given it.
    const at = ['--url', `${server.baseUrl}/sandboxes/acme`, '--admin-key', made.key ?? ''];
    const running = sachetHere(['certify', '--json', ...patient, '--settle', '0.2', '--only', 'lost-answer', ...at]);
    await awaited(running, 'lost-answer');
    expect(running.stderr).toContain(`calls ${server.baseUrl}/sandboxes/acme.\n`);
    const client = made.client();
    await order(client);
    await follow(client);
    const report = await reportOf(running);
    expect(report).toMatchObject({ code: 0, sandbox: 'acme', certified: true });
    expect(JSON.stringify(report)).not.toContain(made.key);
    expect((await made.switches.get()).inactive_pags).toMatchObject({ all: true });
    expect((await made.snapshots.list()).snapshots).toEqual([]);
  });

  test('and where it cannot be brought back, that is told with the name of what was kept', async () => {
    const { server, start } = await walking(patient);
    const running = start('--only', 'discontinued-product');
    await awaited(running, 'discontinued-product');
    await server.close();
    expect(await running.ended()).toBe(1);
    expect(running.stderr).toMatch(
      /\nsachet: the sandbox was not restored; [^\n]*"before-certify-[0-9a-z]{8}": [^\n]*\n$/,
    );
  });

  test('nor is it touched for a scenario that there is none of', async () => {
    const { client, stage, start } = await walking([]);
    await order(client);
    const running = start('--only', 'no-pga,no-pag,nothing');
    expect([await running.ended(), running.stdout]).toEqual([2, '']);
    expect(running.stderr).toMatch(
      /^sachet: unknown scenario "no-pga", "nothing"; the server has: discontinued-product, [^\n]*token-expiry\n$/,
    );
    expect((await stage.requests.list()).requests).toHaveLength(2);
  });
});

describe('says in one sentence', () => {
  async function refused(args: readonly string[]) {
    const running = sachetHere(['certify', ...args]);
    const code = await running.ended();
    expect(running.stdout).toBe('');
    expect(running.stderr).toMatch(/^sachet: [^\n]+\n$/);
    return { code, stderr: running.stderr };
  }
  const key = ['--admin-key', 'wrong-key'];

  test('that the key is wrong, or the sandbox is none', async () => {
    const { url } = await fakeJournal();
    const wrong = await refused(['--url', url, ...key]);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('the admin key does not work for sandbox')]);
    const unknown = await refused(['--url', url, '--admin-key', 'fake-admin-key']);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no sandbox "stage" at ')]);
    expect(unknown.stderr).toContain('the URL of the server itself with --url');
  });

  test('that two sandboxes are named', async () => {
    const { code, stderr } = await refused(['--url', 'http://localhost:1/sandboxes/acme', '--sandbox', 'w7', ...key]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--url names the sandbox "acme", but --sandbox names "w7"'),
    ]);
  });

  test('that something else answers', async () => {
    const server = createServer((_, response) => void response.end('{"scenarios": [{}]}')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { code, stderr } = await refused([
      `--url=http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ...key,
    ]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('does not answer like a Sachet server of this version'),
    ]);
  });
});
