// The binary: built, copied into an empty folder, and run without Node in its PATH.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandLine } from '../../src/node/cli/command-line.ts';
import { sampleOrder } from '../../src/sample-order.ts';
import { version } from '../../src/version.ts';
import {
  built,
  call,
  cleanEnvironment,
  folder,
  freePort,
  inMachineTime,
  logIn,
  type Running,
  readyOf,
  resultOf,
  root,
  run,
} from '../support/command.ts';

let home = '';
let binary = '';

/** Runs a program in a folder, with these words at the end, and nothing in its environment that has Node. */
const runIn = (cwd: string, program: readonly string[], words: readonly string[]): Running =>
  run('/usr/bin/env', ['-i', '-C', cwd, 'PATH=/nonexistent', `HOME=${home}`, ...program, ...words]);
const sachet = (...words: string[]): Running => runIn(home, [binary], words);
const result = (...words: string[]) => resultOf(sachet(...words));
const serve = (...words: string[]): Running => sachet('--port', '0', '--json', '--log', 'off', ...words);

const filesOf = (path: string) => readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')]);

describe.runIf(process.platform === 'linux')('the binary', () => {
  beforeAll(() => {
    execFileSync(process.execPath, ['binary.mjs'], { cwd: root, env: cleanEnvironment(), stdio: 'pipe' });
    home = mkdtempSync(join(tmpdir(), 'sachet-binary-'));
    binary = join(home, 'sachet');
    copyFileSync(join(root, `release/sachet-linux-${process.arch}`), binary);
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test('prints its version, and all commands', async () => {
    expect(await result('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const { code, stdout } = await result('--help');
    const commands = (await commandLine(['--help'])).commands.map((command) => command.name());
    const printed = Array.from(stdout.matchAll(/^ {2}([a-z]+) /gm), ([, name]) => name);
    expect([code, printed]).toEqual([0, expect.arrayContaining(commands)]);
  });

  test('writes the shipped files, checks them, and names the command as it was called', async () => {
    const path = folder();
    const written = await resultOf(runIn(path, [binary], ['init', 'own']));
    expect([written.code, written.stderr]).toEqual([0, '']);
    expect(written.stdout).toContain(`\n${binary} --fixtures 'own/fixtures' --scenarios 'own/scenarios'\n`);
    const link = join(path, 'a $(id)');
    symlinkSync(binary, link);
    expect((await resultOf(runIn(path, [link], ['init', 'other']))).stdout).toContain(`\n'${link}' --fixtures '`);
    for (const name of ['fixtures', 'scenarios'])
      expect(filesOf(join(path, 'own', name))).toEqual(filesOf(join(root, name)));
    const own = ['--fixtures', 'own/fixtures', '--scenarios', 'own/scenarios'];
    expect(await resultOf(runIn(path, [binary], ['check', ...own]))).toMatchObject({ code: 0, stderr: '' });
    const shipped = await result('check');
    expect(shipped).toMatchObject({ code: 0, stderr: '' });
    expect(shipped.stdout).toMatch(/ shipped:fixtures +4 accounts, .*\n.* shipped:scenarios +14 \(.*\)\n$/);
    const unreachable = await result('report', '--key', 'local-key-1', '--url', `http://localhost:${await freePort()}`);
    expect(unreachable).toMatchObject({ code: 1, stderr: expect.stringContaining(`start one with \`${binary}\`, or`) });
  });

  test('serves the API, labels, the console and the reference, until SIGTERM', async () => {
    const server = serve();
    const ready = await readyOf(server);
    const { url } = ready;
    const token = await logIn(ready);
    expect((await call('POST', `${url}/v2/orders`, { token, body: sampleOrder() })).status).toBe(201);
    const { body } = await call('GET', `${url}/v2/fulfillments?limit=1`, { token });
    expect((await call('GET', body.fulfillments[0].label_url)).text).toMatch(/^%PDF-/);
    expect((await call('GET', `${url}/_console/stage/start`)).text).toContain('<title>Start here');
    expect((await call('GET', `${url}/_docs`)).text).toContain('<title>Service');
    expect(await result('healthcheck', '--port', new URL(url).port)).toMatchObject({ code: 0, stderr: '' });
    server.child.kill('SIGTERM');
    expect([await server.ended(), server.stderr]).toEqual([0, '']);
  });

  test('speaks HTTPS, and keeps its state in a folder', async () => {
    const key = 'local-key-1';
    const withServer = async (...words: string[]) => {
      const server = serve('--tls', 'self-signed', '--state', 'state', '--admin-key', key);
      const { url } = await readyOf(server);
      const health = ['healthcheck', '--tls', 'self-signed', '--port', new URL(url).port];
      expect(await result(...health)).toMatchObject({ code: 0, stderr: '' });
      const trusting = [`NODE_EXTRA_CA_CERTS=${join(home, 'sachet-ca.pem')}`, binary];
      const command = await resultOf(runIn(home, trusting, [...words, '--key', key, '--url', url, '--json']));
      server.child.kill('SIGTERM');
      expect([command.code, command.stderr, await server.ended()]).toEqual([0, '', 0]);
      return command.stdout;
    };
    await withServer('switch', 'set', 'latency', 'milliseconds=7');
    expect(await withServer('switch', 'list')).toContain('"latency":{"milliseconds":7');
  });

  test('certifies a client', async () => {
    const client = [process.execPath, join(root, 'test/support/certified-client.mjs')];
    const { code, stdout } = await result('certify', '--only', 'no-pag', '--', ...client);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Certified for 1 of 14 scenarios')]);
  });

  test.each([
    ['a wrong flag', ['--prot', '1'], "sachet: unknown option '--prot' (Did you mean --port?)"],
    ["a flag of Node's", ['--inspect'], "sachet: unknown option '--inspect'"],
    ['an unknown command', ['sevre'], 'sachet: unknown command "sevre"; the commands are: serve,'],
  ])('reports %s with exit code 2', async (_, words, message) => {
    const { code, stdout, stderr } = await result(...words);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });

  test.each([
    ['scenarios', /^discontinued-product /],
    ['openapi', /openapi/],
    ['completion bash', /^# Completes sachet in bash/],
  ])('runs %s', async (words, output) => {
    expect(await result(...words.split(' '))).toEqual({ code: 0, stdout: expect.stringMatching(output), stderr: '' });
  });

  test('finds the flags of a server that is process 1 of a container', async ({ skip }) => {
    const namespace = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc'];
    if ((await run('sh', ['-c', `unshare ${namespace.join(' ')} true`]).ended()) !== 0)
      skip('unshare is missing, or not permitted');
    const check = `(until ./sachet healthcheck 2>/dev/null; do :; done; kill -TERM 1)`;
    const server = `exec ${binary} --port ${await freePort()} --log off --json`;
    const words = ['/usr/bin/unshare', ...namespace, '/bin/sh', '-c', `${check} & ${server}`];
    const { code, stdout } = await resultOf(runIn(home, words, []));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/"pid":1}\n.*\/health answered 200: /)]);
  });

  test('starts with at most 1.3 times the processor time of the package', inMachineTime, async () => {
    const ofPackage: number[] = [];
    const ofBinary: number[] = [];
    // In turn, so that other programs slow down both.
    for (let round = 0; round < 11; round += 1) {
      ofPackage.push(await timeToStart([process.execPath, built()]));
      ofBinary.push(await timeToStart([binary]));
    }
    expect(median(ofBinary) / median(ofPackage)).toBeLessThan(1.3);
  });
});

/** Processor time until the server prints that it is ready, in milliseconds. */
async function timeToStart(program: readonly string[]): Promise<number> {
  const server = runIn(home, program, ['--port', '0', '--json', '--log', 'off']);
  await readyOf(server);
  const threads = `/proc/${server.child.pid}/task`;
  const times = readdirSync(threads).map((id) => readFileSync(`${threads}/${id}/schedstat`, 'utf8').split(' ')[0]);
  const exit = once(server.child, 'exit');
  server.child.kill('SIGKILL');
  await exit;
  return times.reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1e6, 0);
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
