// `sachet matrix`: the choices of assumptions on which a client depends, those that it never reaches, and how the command prints them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AssumptionId, assumptionIds, assumptionRegister } from '../../src/contract/assumptions.ts';
import { rules } from '../../src/contract/rules.ts';
import type { MatrixDocument } from '../../src/node/matrix/report.ts';
import { version } from '../../src/version.ts';
import { built, folder, resultOf, run } from '../support/command.ts';
import { errorHere, resultHere } from '../support/command-here.ts';
import { productId, unknownId } from '../support/order-requests.ts';
import { client, document, matrix, pagingClient } from './matrix.ts';
import { readXml } from './xml.ts';

const failed = ({ results }: Pick<MatrixDocument, 'results'>): string[] =>
  results.filter(({ passed }) => !passed).map(({ assumption, reading }) => `${assumption}=${reading}`);
/** The choices of an assumption but for this one. */
const otherChoices = (id: AssumptionId, one: string): string[] =>
  assumptionRegister[id].choices.flatMap(([choice]) => (choice === one ? [] : `${id}=${choice}`));

const logsIn = client('note(assume);\nawait logIn();');
/** Without --results. */
const noTests = { failed_tests: null, results_problem: null };
const explanation =
  'GET /v2/fulfillments answered 200. This run used next_cursor=meta: meta.next_cursor, null on the last page (first run: body: next_cursor, null on the last page)';

describe('a client that reads the cursor from one place', () => {
  test('depends on the other choices of next_cursor, among all choices', async () => {
    const place = 'meta';
    const found = await document(pagingClient(place), ['--assume', `next_cursor=${place}`]);
    expect([found.code, failed(found)]).toEqual([1, otherChoices('next_cursor', place)]);
    expect(found.results.map(({ assumption, reading }) => `${assumption}=${reading}`)).toEqual(
      assumptionIds.flatMap((id) =>
        otherChoices(id, id === 'next_cursor' ? place : assumptionRegister[id].choices[0][0]),
      ),
    );
  });

  const creates = `
const made = await call('POST', '/_admin/sandboxes', { name: 'own' });
const at = new URL((await made.json()).base_url).pathname;
await logIn(username, at);
await readAll(at);`;

  test.each([
    ['a sandbox that it creates', 'own', creates],
    ['a sandbox of its login', 'w7', "await logIn(username + '+w7');\nawait readAll();"],
  ])('depends on them in %s, too', async (_, sandbox, source) => {
    const found = await document(pagingClient('body', source), ['--only', 'next_cursor']);
    expect(failed(found)).toEqual(otherChoices('next_cursor', 'body'));
    expect(found.results.map(({ request }) => request?.sandbox)).toEqual([sandbox, sandbox, sandbox]);
  });

  test('gets this document', async () => {
    const args = ['--only', 'next_cursor=meta,unknown_fields', '--assume', 'list_order=oldest_first'];
    const { code, notes, words, ...found } = await document(pagingClient('body'), args);
    const duration_ms = expect.any(Number);
    expect(found).toEqual({
      ...{ version, command: words, assumptions: { list_order: 'oldest_first' }, duration_ms },
      first_run: { duration_ms, requests: 4 },
      results: [
        {
          ...{ assumption: 'unknown_fields', reading: 'ignore', passed: true, reached: true, met: true },
          ...{ exit_code: 0, signal: null, timed_out: false, duration_ms, request: null, output: null },
          ...noTests,
        },
        {
          ...{ assumption: 'next_cursor', reading: 'meta', passed: false, reached: true, met: true },
          ...{ exit_code: 1, signal: null, timed_out: false, duration_ms, output: 'saw 10 of 27 fulfillments\n' },
          ...noTests,
          request: {
            ...{ sandbox: 'stage', method: 'GET', path: '/v2/fulfillments', operation: 'fulfillments.list' },
            ...{ status: 200, rules: [] },
            explanation,
          },
        },
      ],
    });
  });
});

describe('a choice that no request reaches', () => {
  test('is not run', async () => {
    const { code, notes, results } = await document(logsIn, ['--only', 'pag_lookup,rate_limit']);
    expect([code, notes]).toEqual([0, ['', 'rate_limit=100/60s']]);
    expect(results[0]).toEqual({
      ...{ assumption: 'pag_lookup', reading: 'brand', passed: true, reached: false, met: false },
      ...{ exit_code: null, signal: null, timed_out: false, duration_ms: null, request: null, output: null },
      ...noTests,
    });
  });

  test('is run with --all, and then may be reached or fail', async () => {
    const { notes, results } = await document(logsIn, ['--all', '--only', 'pag_lookup']);
    expect(notes).toEqual(['', 'pag_lookup=brand']);
    expect(results).toMatchObject([{ passed: true, reached: false, exit_code: 0, timed_out: false }]);
    const later = client("await logIn(assume ? 'nobody' : username);\nif (assume.includes('pag')) fail('turned');");
    const found = await document(later, ['--all', '--only', 'bad_credentials=400,pag_lookup']);
    expect(found.code).toBe(1);
    expect(found.results).toMatchObject([
      { assumption: 'bad_credentials', passed: true, reached: true },
      { assumption: 'pag_lookup', passed: false, reached: false, request: null, output: 'turned\n' },
    ]);
  });
});

test('a first run without a request is reported, and no choice is reached', async () => {
  const { code, stdout, stderr } = await matrix(client('note(base);'), ['--json']);
  const advice = 'point it at SACHET_BASE_URL, or pass the variable that it reads with --env NAME=base_url';
  expect([code, stderr]).toEqual([0, `sachet: the command sent no request to the server; ${advice}\n`]);
  const { first_run, results } = JSON.parse(stdout) as MatrixDocument;
  expect(first_run.requests).toBe(0);
  expect(results).not.toEqual([]);
  expect(results.filter(({ reached, passed }) => reached || !passed)).toEqual([]);
});

describe('the request that a failed run is reported with', () => {
  const get = (path: string): string => `await call('GET', '${path}');\n`;
  const list = (limit: number): string => get(`/v2/fulfillments?limit=${limit}`);
  const orders = get('/v2/orders');
  /** Of a client that fails in every run but the first. */
  async function requestOf(source: string, only = 'max_limit') {
    const { results } = await document(client(`await logIn();\n${source}if (assume) fail('');`), ['--only', only]);
    return results[0]?.request;
  }

  test('is the first one with another outcome than in the first run, and why it was rejected', async () => {
    const products = [unknownId, productId(1), productId(9)].map((id) => get(`/v2/products/${id}`));
    const path = `/v2/products/${productId(9)}`;
    expect(await requestOf(products.join(''), 'foreign_resource')).toMatchObject({
      ...{ path, status: 403, rules: ['foreign_resource'], operation: 'products.get' },
      explanation: `GET ${path} answered 403. Rejected by foreign_resource. ${rules.foreign_resource.requires}. This run used foreign_resource=403: Insufficient permissions (first run: 404: the same as for an unknown id)`,
    });
  });

  const oftener = `${list(1)}${list(1)}${list(0)}${orders}if (assume) ${orders}`;
  test.each([
    ['more often than in the first run', oftener, 'orders.list', 200],
    ['else one that was rejected', list(1) + list(0) + orders, 'fulfillments.list', 400],
    ['else one that used the choice', get('/v2/products') + list(1) + orders, 'fulfillments.list', 200],
  ])('is one that came %s', async (_, source, operation, status) => {
    expect(await requestOf(source)).toMatchObject({ operation, status });
  });
});

describe('each run', () => {
  test('has all its choices in SACHET_ASSUME, also those of the profile and the scenarios', async () => {
    const source = client(`
const answer = await call('GET', '/_admin/sandboxes/stage/assumptions');
const { fulfillment_timeline, next_cursor, order_endpoints } = await answer.json();
note([assume, fulfillment_timeline, next_cursor, order_endpoints].join(' '));
await logIn();`);
    const settings = '--profile strict --scenario doorstep --assume next_cursor=meta --parallel 1 --all'.split(' ');
    const { notes } = await document(source, [...settings, '--only', 'fulfillment_timeline,order_endpoints']);
    expect(notes).toEqual([
      'order_endpoints=absent,next_cursor=meta,fulfillment_timeline=automatic automatic meta absent',
      'next_cursor=meta,fulfillment_timeline=automatic automatic meta assumed',
      'order_endpoints=absent,next_cursor=meta manual meta absent',
    ]);
  });

  test('has the variables of --env, and none of the settings of the command', async () => {
    const source = client(`
const { API_URL, V2, LOGIN, KEY, SACHET_PROFILE, SACHET_SCENARIO, SACHET_URL, SACHET_SANDBOX } = process.env;
const isRight = [API_URL === base, V2 === base + '/v2?a,b', LOGIN === username + ':' + password, KEY === key];
note(JSON.stringify([...isRight, SACHET_PROFILE ?? SACHET_SCENARIO ?? null, SACHET_URL === base, SACHET_SANDBOX]));
await logIn();`);
    const flags = ['--env', 'API_URL=base_url', '--env', 'V2={base_url}/v2?a,b, LOGIN={username}:{password}'];
    const { notes } = await document(source, [...flags, '--env', 'KEY=admin_key', '--only', 'rate_limit'], {
      ...{ SACHET_PROFILE: 'strict', SACHET_SCENARIO: 'doorstep' },
      ...{ SACHET_URL: 'http://localhost:1', SACHET_SANDBOX: 'other' },
    });
    expect(notes).toEqual(Array(2).fill('[true,true,true,true,null,true,"stage"]'));
  });
});

const three = ['--only', 'next_cursor=meta,rate_limit,pag_lookup'];
const linesOf = (stdout: string): string[] => stdout.replace(/in \d+\.\d s/, 'in 1.0 s').split('\n');
const casesIn = (document: string) =>
  readXml(document).children[0]?.children.map(({ attributes, children }) => [
    attributes.classname,
    attributes.name,
    ...children.map(({ name, attributes: { message } }) => [name, message]),
  ]);

test('the table has a line per choice, the first suspicious request, and the assumptions that matter; --junit writes a file as well', async () => {
  const file = join(folder(), 'reports/matrix.xml');
  const { code, stdout, stderr } = await matrix(pagingClient('body'), [...three, '--junit', file]);
  expect([code, stderr]).toEqual([1, '']);
  expect(linesOf(stdout)).toEqual([
    '   assumption   choice   result',
    '✗  next_cursor  meta     FAIL',
    `    it exited with code 1; ${explanation}`,
    '–  pag_lookup   brand    not reached',
    '✓  rate_limit   100/60s  pass',
    '',
    '1 passed, 1 failed, 1 not reached, in 1.0 s',
    'Depends on: next_cursor',
    expect.stringMatching(/^To see which tests failed, .* --results results\.json -- npx vitest /),
    '',
  ]);
  const xml = readFileSync(file, 'utf8');
  expect(casesIn(xml)).toEqual([
    ['next_cursor', 'meta', ['failure', `it exited with code 1; ${explanation}`], ['system-out', undefined]],
    ['pag_lookup', 'brand', ['skipped', 'not reached']],
    ['rate_limit', '100/60s'],
  ]);
  const totals = { name: 'sachet matrix', tests: '3', failures: '1', skipped: '1' };
  expect(readXml(xml).children[0]?.attributes).toMatchObject(totals);
  expect(xml).toContain('saw 10 of 27 fulfillments</system-out>');
});

describe('--results names the tests that failed', () => {
  const passing = '<testcase classname="test_orders" name="test_login"/>';
  const failing = (name: string) => `<testcase classname="test_orders" name="${name}"><failure/></testcase>`;
  /** A client whose runs write this file; `content` is an expression that can use `assume`. */
  const writing = (file: string, content: string) =>
    client(
      `await logIn();\nconst content = ${content};\nif (content) writeFileSync('${file}', content);\nif (assume) fail('');`,
    );
  const suite = (always: string, failed: string) =>
    `'<testsuite>${always}' + (assume ? '${failed}' : '') + '</testsuite>'`;
  const only = ['--only', 'rate_limit'];

  test('in each run, but for those that failed in the first run, in the table, the document and JUnit', async () => {
    const [file, junit] = [join(folder(), 'pytest.xml'), join(folder(), 'matrix.xml')];
    const source = writing(file, suite(passing + failing('test_flaky'), failing('test_list')));
    const args = [...only, '--results', file];
    const { results } = await document(source, args);
    expect(results[0]?.failed_tests).toEqual([{ file: 'test_orders', name: 'test_list' }]);
    const { stdout } = await matrix(source, [...args, '--junit', junit]);
    const names = 'failed tests (1):\n      test_orders: test_list\n';
    expect(stdout).toContain(`\n    ${names}\n0 passed`);
    expect(stdout).not.toContain('To see which tests failed');
    expect(readXml(readFileSync(junit, 'utf8')).children[0]?.children[0]?.children[0]?.text).toContain('test_list');
  });

  test('with a file per run, in parallel', async () => {
    const source = "await logIn();\nawait call('GET', '/v2/fulfillments');\nwriteFileSync(process.argv[2], content);";
    const content = `const content = ${suite('', '<testcase name="\' + assume + \'"><error/></testcase>')};`;
    const path = folder({ 'client.mjs': client(`${content}\n${source}\nif (assume) fail('');`) });
    const file = join(path, '{run}.xml');
    const args = ['--json', '--parallel', '2', '--only', 'max_limit,rate_limit', '--results', file];
    const { stdout } = await resultHere(['matrix', ...args, '--', process.execPath, join(path, 'client.mjs'), file]);
    const { results } = JSON.parse(stdout) as MatrixDocument;
    const names = ['max_limit=50', 'rate_limit=100/60s'];
    expect(results.map(({ failed_tests }) => failed_tests)).toEqual(names.map((name) => [{ file: '', name }]));
  });

  test.each([
    [
      'wrote none, even if an old file is there',
      "assume ? '' : '<testsuite/>'",
      /^the run wrote no results file at \S+$/,
    ],
    [
      'wrote a broken one',
      "assume ? '<testsuite><testcase' : '<testsuite/>'",
      /^\S+ cannot be read: .+\(line 1, column \d+\)$/,
    ],
    [
      'wrote something else',
      "assume ? '<html/>' : '<testsuite/>'",
      /^\S+ is neither JUnit XML nor JSON of Vitest or Jest$/,
    ],
  ])('and says if a run %s', async (_, content, problem) => {
    const file = join(folder(), 'results.xml');
    const { code, results } = await document(writing(file, content), [...only, '--results', file]);
    expect([code, results[0]?.exit_code, results[0]?.failed_tests]).toEqual([1, 1, null]);
    expect(results[0]?.results_problem).toMatch(problem);
  });
});

test('--output shows the output of failed runs, without control characters', async () => {
  const source = "console.log('one\\u001b[2J\\u001b[31m red\\u001b[0m\\ttab');\nawait logIn();\nawait readAll();";
  const { stdout } = await matrix(pagingClient('body', source), ['--output', '--only', 'next_cursor=meta']);
  const output = 'one\\u{1b}[2J red\ttab\nsaw 10 of 27 fulfillments\n';
  expect(stdout).toContain(`\n\nOutput of the run with next_cursor=meta:\n\n${output}\n0 passed`);
});

test('a first run that fails is reported even if the JUnit file cannot be written', async () => {
  const path = join(folder(), 'gone');
  const source = `const { rmSync } = await import('node:fs');\nrmSync('${path}', { recursive: true });\nfail('');`;
  const { code, stderr } = await matrix(client(source), ['--junit', join(path, 'matrix.xml')]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/the command fails in the first run.+\n.*cannot write the JUnit file/);
});

test('--junit without a file prints JUnit instead of the table', async () => {
  const { code, stdout } = await matrix(logsIn, ['--only', 'rate_limit', '--junit']);
  expect([code, casesIn(stdout)]).toEqual([0, [['rate_limit', '100/60s']]]);
});

test('the summary says if nothing failed, or if a failure has another reason', async () => {
  const passes = await matrix(logsIn, ['--only', 'rate_limit']);
  expect(linesOf(passes.stdout).slice(-3)).toEqual([
    '1 passed, 0 failed, 0 not reached, in 1.0 s',
    'Depends on: no assumption that was tried',
    '',
  ]);
  const source = client("await logIn();\nif (assume) fail('');");
  const fails = await matrix(source, ['--all', '--only', 'pag_lookup']);
  expect(linesOf(fails.stdout).slice(-7)).toEqual([
    '    it exited with code 1; no request of the run used pag_lookup=brand',
    '',
    '0 passed, 1 failed, 0 not reached, in 1.0 s',
    'Depends on: no assumption that was tried',
    'Failed for another reason: pag_lookup',
    expect.stringMatching(/^To see which tests failed, /),
    '',
  ]);
});

test('a run without a request that used the choice is "not met"; JUnit skips it', async () => {
  const file = join(folder(), 'matrix.xml');
  const args = ['--only', 'max_limit,rate_limit', '--junit', file];
  const resets = "token = key;\nawait call('PATCH', '/_admin/sandboxes/stage/assumptions', { max_limit: '100' });";
  const source = client(`${resets}\nawait logIn();\nawait call('GET', '/v2/fulfillments');`);
  const { code, stdout } = await matrix(source, args);
  expect(code).toBe(0);
  expect(linesOf(stdout).slice(1)).toEqual([
    '!  max_limit   50       not met',
    '✓  rate_limit  100/60s  pass',
    '',
    '1 passed, 0 failed, 1 not met, 0 not reached, in 1.0 s',
    'Depends on: no assumption that was tried',
    '"not met" means that no request of the run used the choice, so the run proves nothing: does the command cache its tests, or set assumptions itself?',
    '',
  ]);
  expect(casesIn(readFileSync(file, 'utf8'))?.[0]).toEqual(['max_limit', '50', ['skipped', 'not met']]);
});

describe('a hint that parallel runs may disturb each other', () => {
  const lists = "await logIn();\nawait call('GET', '/v2/fulfillments');\n";
  const failsBefore = client(`if (assume.includes('max_limit')) fail('');\n${lists}`);
  const failsAlways = client(`${lists}if (assume) fail('');`);

  test.each([
    ['is given after a failure without the choice', failsBefore, '2', 'max_limit,rate_limit', true],
    ['is given if every choice fails', failsAlways, '2', 'max_limit,rate_limit', true],
    ['is not given with --parallel 1', failsAlways, '1', 'max_limit,rate_limit', false],
    ['is not given if another choice passes', pagingClient('body'), '2', 'next_cursor=meta,rate_limit', false],
  ])('%s', async (_, source, parallel, only, isGiven) => {
    const { code, stdout } = await matrix(source, ['--parallel', parallel, '--only', only]);
    expect(code).toBe(1);
    const hint = '\nif your tests cannot run side by side (a port, a file), use --parallel 1\n';
    expect(stdout.includes(hint)).toBe(isGiven);
  });
});

const form = 'put the command after --, for example: sachet matrix -- npm test';
const unknownName = 'unknown name "base_ulr"; use one of base_url, username, password, admin_key, assume, or a text';

test.each<readonly [string, string]>([
  ['', `no command to run; ${form}`],
  ['npm test --reporter dot', `unexpected "npm" before --; ${form}`],
  ['--prallel 2 -- true', `unknown option '--prallel' (Did you mean --parallel?); ${form}`],
  ['--random-seed -- -- true', `option '--random-seed' needs a value before --; ${form}`],
  ['--only next_cursor=body -- true', 'the first run already uses next_cursor=body; the other choices are: meta, link'],
  [
    '--only next_curser -- true',
    'Unknown assumption "next_curser". Did you mean "next_cursor"? Use one of: validation',
  ],
  ['--only list_order,next_cursor=metta -- true', 'Unknown choice "metta" of the assumption next_cursor. Did you mean'],
  ['--env A=base_ulr -- true', unknownName],
  ['--env A={url}/v2 -- true', 'unknown name {url}; use one of base_url'],
  ['--results a.xml --parallel 2 -- true', '--parallel 2 needs a results file per run; write {run} into --results'],
])('matrix %s is a usage error', async (args, message) => {
  expect(await errorHere(['matrix', ...args.split(' ').filter(Boolean)])).toContain(message);
});

// Writing to this file fails like writing to a full disk.
test.skipIf(!existsSync('/dev/full'))(
  'an output that cannot be written is exit code 1, unless its reader is gone',
  async () => {
    const words = [process.execPath, '-e', 'require("node:http").get(process.env.SACHET_BASE_URL + "/v2/products")'];
    const args = ['matrix', '--only', 'rate_limit'];
    const junit = await resultHere([...args, '--junit', '/dev/full', '--', ...words]);
    expect([junit.code, junit.stdout]).toEqual([1, expect.stringContaining('rate_limit  100/60s  pass\n')]);
    expect(junit.stderr).toBe('sachet: cannot write the JUnit file /dev/full: no space left on device (ENOSPC)\n');
    const line = [process.execPath, built(), ...args, '--', ...words].map((word) => `'${word}'`).join(' ');
    const full = await resultOf(run('sh', ['-c', `${line} > /dev/full`]));
    expect([full.code, full.stderr]).toEqual([
      1,
      'sachet: cannot write to standard output: ENOSPC: no space left on device, write\n',
    ]);
    const unread = run('sh', ['-c', `{ ${line}; echo "ended with $?" >&2; } | true`]);
    await unread.ended();
    expect(unread.stderr).toBe('ended with 0\n');
  },
);
