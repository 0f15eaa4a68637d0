// `sachet report` prints a line per rule and what is wrong with a broken one, hands it to CI, and says why when it cannot.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { conduct, conductRuleIds } from '../../src/contract/control/conduct.ts';
import { serve } from '../../src/node/serve.ts';
import { folder } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { fakeJournal, fakeKey } from '../support/fake-journal.ts';
import { readXml } from '../support/xml.ts';

/** A server whose client has met a 429, and come back at once where it is hasty. */
async function called(isHasty: boolean) {
  const server = await serve({ clock: '2031-01-02T03:04:05Z' });
  onTestFinished(() => server.close());
  const stage = server.sandbox('stage');
  const client = stage.client({ username: 'demo', password: 'sachet-demo' });
  await client.get('/v2/products');
  await stage.switches.set({ rate_limit: { burst: 1 } });
  await client.get('/v2/products');
  if (!isHasty) await stage.clock.advance({ seconds: 60 });
  await client.get('/v2/products');
  const report = async (...args: readonly string[]) => {
    const running = sachetHere(['report', '--url', server.baseUrl, '--admin-key', server.adminKey, ...args]);
    const code = await running.ended();
    return { code, stdout: running.stdout, stderr: running.stderr };
  };
  return { stage, report };
}

const rowOf = (stdout: string, rule: string) =>
  stdout
    .split('\n')
    .find((line) => line.startsWith(`${rule} `))
    ?.split(/ {2,}/);

test('a line per rule, and exit code 0 where none failed', async () => {
  const { report } = await called(false);
  const { code, stdout, stderr } = await report();
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.slice(0, -2).map((line) => line.split(' ')[0])).toEqual(conductRuleIds);
  expect(lines.slice(-2)).toEqual(['', '3 passed, 0 failed, 9 not exercised']);
  expect(rowOf(stdout, 'retry_after')).toEqual(['retry_after', 'pass', '1 request']);
  expect(rowOf(stdout, 'token_reuse')).toEqual(['token_reuse', 'pass', '2 requests']);
  expect(rowOf(stdout, 'fresh_label')).toEqual(['fresh_label', 'not_exercised']);
});

test('a rule that failed with its advice and the requests that show it, and exit code 1', async () => {
  const { stage, report } = await called(true);
  const { code, stdout, stderr } = await report();
  expect([code, stderr]).toEqual([1, '']);
  expect(rowOf(stdout, 'retry_after')).toEqual(['retry_after', 'fail', '2 requests']);
  const [refused, again] = (await stage.requests.list()).requests.slice(-2).map(({ id }) => id);
  const lines = stdout.split('\n');
  const findings = lines.slice(lines.findIndex((line) => line.startsWith('retry_after')) + 1).slice(0, 4);
  expect(findings).toEqual([
    expect.stringMatching(
      /^ {2}The client called products\.list 0 s after a 429 [^\n]*\. After a 429, wait for the seconds [^\n]*\.$/,
    ),
    expect.stringMatching(`^  ${refused} 2031-01-02T03:04:05\\.000Z GET /v2/products 429 `),
    expect.stringMatching(`^  ${again} 2031-01-02T03:04:05\\.000Z GET /v2/products 200 `),
    expect.stringMatching(/^backoff_on_500 /),
  ]);
});

test('a request that the journal has lost is told by its id', async () => {
  const { stage, report } = await called(true);
  const [refused] = (await stage.requests.list({ status: 429 })).requests;
  for (let n = 0; n < 1000; n += 1) await stage.fetch('/v2/nothing');
  expect((await report()).stdout).toContain(`  ${refused?.id} (no longer in the journal)\n`);
});

test('--json prints the document as it came', async () => {
  const { stage, report } = await called(true);
  const { code, stdout } = await report('--json');
  expect(stdout).toMatch(/^\{.*\}\n$/);
  expect([code, JSON.parse(stdout)]).toEqual([1, await stage.report.get()]);
});

describe('--junit', () => {
  test('prints a case per rule, those that nothing has put to the test as skipped', async () => {
    const { report } = await called(true);
    const { code, stdout } = await report('--junit');
    const [suite] = readXml(stdout).children;
    expect([code, suite?.attributes]).toMatchObject([1, { name: 'sachet report', tests: '12', failures: '1' }]);
    const cases = new Map(suite?.children.map(({ attributes, children }) => [attributes.name, children]));
    expect([...cases.keys()]).toEqual(conductRuleIds);
    expect(cases.get('token_reuse')).toEqual([]);
    expect(cases.get('fresh_label')).toMatchObject([{ name: 'skipped' }]);
    const [failure] = cases.get('retry_after') ?? [];
    expect([failure?.name, failure?.attributes.message]).toEqual([
      'failure',
      expect.stringContaining(conduct.retry_after),
    ]);
    expect(failure?.text).toMatch(/ GET \/v2\/products 429 [^\n]*\n[^\n]* GET \/v2\/products 200 /);
  });

  test('with a file is written there, beside the table', async () => {
    const { report } = await called(false);
    const file = join(folder(), 'conduct.xml');
    const { code, stdout } = await report('--junit', file);
    expect([code, rowOf(stdout, 'retry_after')?.[1]]).toEqual([0, 'pass']);
    expect(readXml(readFileSync(file, 'utf8')).attributes).toMatchObject({ tests: '12', failures: '0' });
  });
});

describe('says in one sentence', () => {
  async function refused(args: readonly string[]) {
    const command = sachetHere(['report', ...args]);
    const code = await command.ended();
    expect(command.stdout).toBe('');
    expect(command.stderr).toMatch(/^sachet: [^\n]+\n$/);
    return [code, command.stderr];
  }

  test('that the admin key is missing', async () => {
    expect(await refused([])).toEqual([2, expect.stringContaining('--admin-key or SACHET_ADMIN_KEY')]);
  });

  test('that two documents cannot be printed', async () => {
    const args = ['--admin-key', fakeKey, '--json', '--junit'];
    expect(await refused(args)).toEqual([2, expect.stringContaining('--json and --junit')]);
  });

  test('that the key is wrong, or the sandbox none', async () => {
    const { url } = await fakeJournal();
    const wrong = await refused(['--url', url, '--admin-key', 'wrong-key']);
    expect(wrong).toEqual([1, expect.stringContaining('the admin key does not work for sandbox "stage"')]);
    const unknown = await refused(['--url', url, '--admin-key', fakeKey, '--sandbox', 'w9']);
    expect(unknown).toEqual([1, expect.stringContaining('no sandbox "w9" at ')]);
  });

  test('that something else answers', async () => {
    const server = createServer((_, response) => void response.end('{"rules": 12}')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = await refused(['--url', url, '--admin-key', fakeKey]);
    expect(answer).toEqual([1, expect.stringContaining('does not answer like a Sachet server of this version')]);
  });
});

test('a sandbox that nobody has called is told', async () => {
  const { report } = await called(false);
  const { code, stderr } = await report('--sandbox', 'production');
  expect([code, stderr]).toEqual([0, expect.stringContaining('sandbox "production"')]);
  expect(stderr).toContain('--sandbox');
});
