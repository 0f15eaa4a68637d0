// `sachet certify` over a client that runs elsewhere, whose calls to a running server it waits for.
import { describe, expect, test } from 'vitest';
import type { ServiceClient } from '../../src/client/sandbox.ts';
import { readScenarios } from '../../src/contract/scenarios.ts';
import type { ServeOptions } from '../../src/node/serve.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { served } from '../library/starts.ts';
import { type Command, inMachineTime, resultOf, sachet } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { broken, failed, reportOf } from './certify.ts';

/** Timeouts that no test waits for. */
const patient = ['--timeout', '600'];
const quiet = ['--settle', '0.2'];

/** A server with a client that is logged in, and the command over it. */
async function begun(args: readonly string[], options: ServeOptions = {}) {
  const server = await served(options);
  const stage = server.sandbox('stage');
  const client = stage.client({ username: 'demo', password: 'sachet-demo' });
  const all = ['certify', '--json', '--url', server.baseUrl, '--admin-key', server.adminKey, ...args];
  const start = (...more: readonly string[]) => sachetHere([...all, ...more]);
  return { server, stage, client, start, all };
}

/** Waits until the command waits for calls in this scenario. */
const awaited = (running: Command, name: string): Promise<void> =>
  running.until(name, ({ stderr }) => new RegExp(` ${name}: [^]*\n {4}\\S`).test(stderr));

const order = (client: ServiceClient): Promise<unknown> =>
  client.post('/v2/orders', sampleOrder()).catch(() => undefined);

/** Reads the newest order and its fulfillments, and downloads a label. */
async function follow(client: ServiceClient): Promise<void> {
  const { orders } = await (await client.get('/v2/orders')).json();
  await client.get(`/v2/orders/${orders[0].id}/fulfillments`);
  await fetch((await (await client.get('/v2/fulfillments')).json()).fulfillments[0].label_url);
}

const mine = (file: object) =>
  readScenarios([{ name: 'mine.json', content: { intent: 'To see.', right_client: 'Looks.', ...file } }]);

test('a correct client is certified, scenario by scenario, and the output says what to do', async () => {
  const args = [...patient, ...quiet, '--only', 'lost-answer,inactive-pag', '--seed', 'elsewhere'];
  const { client, start, server } = await begun(args);
  const running = start();
  for (const name of ['inactive-pag', 'lost-answer']) {
    await awaited(running, name);
    await order(client);
    await follow(client);
  }
  const report = await reportOf(running);
  expect(report).toMatchObject({ code: 0, certified: true, client: null, seed: 'elsewhere', sandbox: 'stage' });
  expect(report.scenarios.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
    'inactive-pag pass',
    'lost-answer pass',
  ]);
  const lines = running.stderr.split('\n');
  const saved = /^Saved the sandbox as its snapshot "before-certify-[0-9a-z]{8}"; it is restored at the end\.$/;
  expect(lines.slice(0, 2)).toEqual([
    expect.stringMatching(saved),
    `Certifying the client that calls ${server.baseUrl}.`,
  ]);
  expect(lines.slice(lines.findIndex((line) => line.startsWith('2/2')))).toEqual([
    expect.stringMatching(/^2\/2 lost-answer: The next order that the service accepts is stored, but /),
    expect.stringMatching(/^ {2}A correct client: Does not know whether the order exists, so it checks /),
    '  Waiting up to 600 s for:',
    '    orders.create: exactly 1',
    expect.stringMatching(/^ {4}order_followed: read every order that it placed, or the fulfillments of that order/),
    '    label_downloaded: download a label',
    expect.stringMatching(/^ {2}pass after [\d.]+ s$/),
    '',
  ]);
});

describe('the command waits until the client is quiet,', () => {
  test('but not after a call too many, which the report of the restored sandbox does not judge', async () => {
    const { client, stage, start } = await begun([...patient, '--settle', '600', '--only', 'lost-answer']);
    const running = start();
    await awaited(running, 'lost-answer');
    await order(client);
    await order(client);
    const report = await reportOf(running);
    expect([report.code, failed(report)]).toEqual([1, ['lost-answer']]);
    expect(report.scenarios[0]?.expect).toMatchObject([{ came: 2, satisfied: false }]);
    expect(broken(report)).toEqual(['lost-answer: no_double_submit']);
    expect((await stage.report.get()).rules.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
  });

  test('which it is not during a call', async () => {
    const match = { operation: 'orders.create' } as const;
    const scenarios = mine({
      faults: [{ match, delay: { milliseconds: 600 } }],
      expect: [
        { match: { operation: 'products.list' }, count: 1 },
        { match, count: { at_most: 1 } },
      ],
    });
    const { client, stage, start } = await begun([...patient, '--settle', '0.3', '--only', 'mine'], { scenarios });
    const running = start();
    await awaited(running, 'mine');
    const ordered = order(client);
    await expect.poll(async () => (await stage.requests.list(match)).requests.length).toBe(1);
    await client.get('/v2/products');
    const report = await reportOf(running);
    await ordered;
    expect(report.scenarios[0]?.expect.map(({ came }) => came)).toEqual([1, 1]);
  });
});

// Real time: the client has to call before the timeout.
describe('after the timeout', inMachineTime, () => {
  test('a scenario fails with what came instead', async () => {
    const { client, start } = await begun(['--timeout', '2', '--settle', '0.1', '--only', 'lost-answer,no-pag']);
    const running = start('--seed', 'b');
    await awaited(running, 'lost-answer');
    await client.get('/v2/products');
    await awaited(running, 'no-pag');
    const report = await reportOf(running);
    expect(failed(report)).toEqual(['lost-answer', 'no-pag']);
    expect(report.scenarios.map(({ note }) => note)).toEqual([null, 'no call came within 2 s']);
    expect(running.stderr).toContain('s: orders.create: expected exactly 1, but 0 came\n');
  });

  test('the command ends if no call came at all, and restores the sandbox', async () => {
    const { server, stage, start } = await begun(['--timeout', '0.2', '--only', 'discontinued-product']);
    await stage.switches.set({ inactive_pags: { all: true } });
    const { code, stdout, stderr } = await resultOf(start());
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`\nsachet: no call came to ${server.baseUrl} within 0.2 s; point a client there`);
    expect(stderr).toMatch(/; expected orders\.create, rule ORD-20: exactly 1; label_downloaded: download a label\n$/);
    expect((await stage.switches.get()).inactive_pags).toMatchObject({ all: true });
    expect((await stage.snapshots.list()).snapshots).toEqual([]);
  });
});

describe('the sandbox is restored', () => {
  const waits = ({ stderr }: { readonly stderr: string }) => stderr.includes('  Waiting up to ');

  test.each([
    ['SIGINT', ['SIGINT'], [130]],
    ['two signals at once', ['SIGINT', 'SIGTERM'], [130, 143]],
  ] as const)('after %s', async (_, signals, codes) => {
    const { client, stage, all } = await begun(patient);
    await order(client);
    await stage.switches.set({ rate_limit: { burst: 7 } });
    const orders = await stage.records.orders.list();
    const running = sachet([...all, '--only', 'discontinued-product']);
    await running.until('a scenario', waits);
    expect((await stage.switches.get()).rate_limit).toBeNull();
    for (const signal of signals) running.child.kill(signal);
    expect(codes).toContain(await running.ended());
    expect(running.stdout).toBe('');
    expect(running.stderr).toContain('\nStopping; restoring the sandbox.\n');
    expect(running.stderr).not.toContain('sachet:');
    expect(await stage.records.orders.list()).toEqual(orders);
    expect((await stage.switches.get()).rate_limit).toMatchObject({ remaining: 7 });
    expect((await stage.snapshots.list()).snapshots).toEqual([]);
  });

  test('not if the server is gone; the message names the snapshot', async () => {
    const { server, start } = await begun(patient);
    const running = start('--only', 'discontinued-product');
    await awaited(running, 'discontinued-product');
    await server.close();
    expect(await running.ended()).toBe(1);
    const message = /\nsachet: the sandbox was not restored; [^\n]*"before-certify-[0-9a-z]{8}": [^\n]*\n$/;
    expect(running.stderr).toMatch(message);
  });
});

test('the sandbox is not touched while another certification runs in it', async () => {
  const { stage, start } = await begun(patient);
  const name = 'before-certify-0123abcd';
  await stage.snapshots.create({ name });
  const message = `"${name}": wait until it ends; .*POST …/snapshots/${name}/restore, then delete .*`;
  const stderr = expect.stringMatching(new RegExp(`^sachet: .*${message}\n$`));
  expect(await resultOf(start())).toEqual({ code: 1, stdout: '', stderr });
  expect((await stage.snapshots.list()).snapshots).toMatchObject([{ name }]);
});
