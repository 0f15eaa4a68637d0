// `sachet learn`: how it reads recordings, what it prints, and the config file. Tests of its findings are elsewhere.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AssumptionId } from '../../src/contract/assumptions.ts';
import type { LearnedReport, Observation, SachetConfig } from '../../src/contract/observations.ts';
import { createSachet } from '../../src/create-sachet.ts';
import { junitDocument } from '../../src/node/cli/results.ts';
import { readHarFiles } from '../../src/node/fidelity/har-files.ts';
import { casesOfReport, textOfReport, withEarlier, writeConfig } from '../../src/node/fidelity/report.ts';
import { loadConfig } from '../../src/node/load-files.ts';
import { folder } from '../support/command.ts';
import { errorHere, resultHere } from '../support/command-here.ts';
import { readXml } from './xml.ts';

const service = 'https://api.example/orders';

const unauthorized = '{"statusCode":401,"error":"Unauthorized","message":"Missing authentication"}';

/** An entry of a HAR file, made so many seconds after noon. */
const entry = (url: string, second = 0, more: object = {}) => ({
  startedDateTime: `2026-11-20T12:00:${String(second).padStart(2, '0')}.000Z`,
  request: { method: 'GET', url, headers: [] },
  response: { status: 401, headers: [], content: { size: unauthorized.length, text: unauthorized } },
  ...more,
});
const har = (...entries: readonly object[]): string => JSON.stringify({ log: { version: '1.2', entries } });
const good = har(entry(`${service}/v2/products`));

describe('recordings', () => {
  const paths = async (files: readonly string[], baseUrl?: string) => {
    const { calls } = await readHarFiles(files, baseUrl);
    return calls.map(({ call, source }) => [call.path + call.query, source.replace(/.*\//, '')]);
  };

  test('the calls of the service and downloads of labels are kept, in the order in which they were made', async () => {
    const one = har(
      entry(`${service}/v2/fulfillments`, 9),
      entry('https://cdn.example/app.js'),
      entry(`${service}/v2/products`, 3, { pageref: 'page_1' }),
      entry('https://labels.example/a.pdf', 10),
      entry('https://labels.example/b?X-Amz-Signature=1f', 11),
    );
    const two = har(entry(`${service}/v2/products?limit=1`, 3), entry(`${service}/v2/orders`, 1));
    const path = folder({ 'one.har': one, 'two.har': `\ufeff${two}` });
    expect(await paths([join(path, 'one.har'), join(path, 'two.har')])).toEqual([
      ['/v2/orders', 'two.har'],
      ['/v2/products', 'one.har'],
      ['/v2/products?limit=1', 'two.har'],
      ['/v2/fulfillments', 'one.har'],
      ['/a.pdf', 'one.har'],
      ['/b?X-Amz-Signature=1f', 'one.har'],
    ]);
  });

  test('only calls of one base URL are read; --base-url chooses it', async () => {
    const other = 'https://other.example';
    const path = join(
      folder({ 'a.har': har(...[service, other, other].map((base) => entry(`${base}/v2/orders`))) }),
      'a.har',
    );
    expect(await errorHere(['learn', path])).toBe(
      `sachet: the recordings have calls of 2 base URLs: ${other} (2 calls), ${service} (1 call); choose one with --base-url URL\n`,
    );
    expect(await paths([path], service)).toHaveLength(1);
    expect(await errorHere(['learn', path, '--base-url', 'https://third.example/'])).toBe(
      `sachet: no call has the base URL https://third.example; the recordings have ${other} (2 calls), ${service} (1 call)\n`,
    );
  });

  test('the archive of a sandbox is a recording', async () => {
    await using sachet = createSachet();
    await using sandbox = await sachet.createSandbox({ name: 'recorded' });
    await sandbox.client().get('/v2/products?limit=2');
    const path = join(folder({ 'own.har': JSON.stringify(await sandbox.requests.har()) }), 'own.har');
    const { calls } = await readHarFiles([path]);
    expect(calls.map(({ call }) => [call.baseUrl, call.path, call.status])).toEqual([
      [sandbox.baseUrl, '/v2/authentication/token', 200],
      [sandbox.baseUrl, '/v2/products', 200],
    ]);
  });

  test('calls without an answer and malformed entries are counted, not read', async () => {
    const failed = entry(`${service}/v2/orders`, 0, { response: { status: 0, headers: [] } });
    const path = join(folder({ 'a.har': har(failed, { request: { url: `${service}/v2/x` } }, {}) }), 'a.har');
    const message = 'has no call of the service: its 2 calls of /v2/ had no answer, or the entries are malformed;';
    expect(await errorHere(['learn', path], {}, 1)).toContain(message);
    writeFileSync(path, har(failed, entry(`${service}/v2/orders`)));
    expect(await readHarFiles([path])).toMatchObject({ calls: { length: 1 }, incomplete: 1 });
  });
});

describe('a file that is not a recording', () => {
  const cut = har(entry(`${service}/v2/products`), entry(`${service}/v2/orders`)).slice(0, -60);

  test.each([
    ['an empty file', '', 'cannot read FILE: it is empty;'],
    ['a file of spaces', ' \n ', 'cannot read FILE: it is empty;'],
    ['a page', '<!doctype html>', 'cannot read FILE: it is not JSON in UTF-8; the first error is near byte 0;'],
    ['broken JSON', '{"log":{"entries":[{},]}}', 'it is not JSON in UTF-8; the first error is near byte 22;'],
    ['text after the JSON', `${good}x`, 'cannot read FILE: it is not JSON in UTF-8;'],
    ['a file that ends early', cut, 'cannot read FILE: it ends in the middle, after 1 complete entry;'],
    ['a file that ends in a key', '{"log":{"entr', 'it ends in the middle, after 0 complete entries;'],
    ['JSON of another kind', '{"data":[]}', 'FILE is not a HAR file: log.entries is missing or empty;'],
    ['a number', '1', 'FILE is not a HAR file: log.entries is missing or empty;'],
    ['no entries', har(), 'FILE is not a HAR file: log.entries is missing or empty;'],
    [
      'calls of other hosts',
      har(...['a', 'b', 'a'].map((name) => entry(`https://${name}.example/v1/x`))),
      'FILE has no call of the service: no URL in its 3 entries has a path with /v2/; it has calls of ' +
        'https://a.example (2 calls), https://b.example (1 call); record',
    ],
  ])('%s is an error with exit code 1, which names the file and writes nothing', async (_, text, message) => {
    const path = folder({ 'bad.har': text, 'good.har': good });
    const file = join(path, 'bad.har');
    const line = await errorHere(['learn', join(path, 'good.har'), file, '--out', join(path, 'c.json')], {}, 1);
    expect(line).toContain(message.replace('FILE', file));
    expect(readdirSync(path).sort()).toEqual(['bad.har', 'good.har']);
  });

  test('a missing file, a folder and no file are usage errors', async () => {
    const path = folder();
    const next = 'pass the path of a HAR file\n';
    expect(await errorHere(['learn', join(path, 'no.har')])).toContain(`no.har": it does not exist; ${next}`);
    expect(await errorHere(['learn', path])).toBe(
      `sachet: cannot read the recording "${path}": it is a folder; ${next}`,
    );
    expect((await resultHere(['learn'])).code).toBe(2);
  });
});

describe('the file of --out', () => {
  const learn = (path: string, ...more: readonly string[]) =>
    resultHere(['learn', join(path, 'a.har'), '--out', join(path, 'c.json'), ...more]);

  test('is written, also in a new folder, and replaced if it is a config', async () => {
    const path = folder({ 'a.har': good, 'c.json': '{"assumptions":{"list_order":"oldest_first"}}' });
    const { code, stdout } = await learn(path);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`\nConfig: ${join(path, 'c.json')}\n`)]);
    expect(loadConfig(join(path, 'c.json')).assumptions).toMatchObject({
      missing_token_message: 'Missing authentication',
    });
    expect(loadConfig(join(path, 'c.json')).assumptions).not.toHaveProperty('list_order');
    expect(readdirSync(path).sort()).toEqual(['a.har', 'c.json']);
    const nested = join(path, 'new/folder/c.json');
    const old = join(folder({ 'old.json': '{"assumptions":{"list_order":"oldest_first"}}' }), 'old.json');
    expect((await learn(path, '--out', nested, '--config', old)).code).toBe(0);
    const { assumptions } = loadConfig(join(path, 'c.json'));
    expect(loadConfig(nested).assumptions).toEqual({ ...assumptions, list_order: 'oldest_first' });
  });

  test('has the choices of the recording where an earlier config had others, with a note', async () => {
    const old = '{"assumptions":{"missing_token_message":"Unauthorized"}}';
    const path = folder({ 'a.har': good, 'c.json': old });
    const { code, stderr } = await learn(path, '--config', join(path, 'c.json'));
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^sachet: missing_token_message: the earlier config has/),
    ]);
    expect(loadConfig(join(path, 'c.json')).assumptions).toMatchObject({
      missing_token_message: 'Missing authentication',
    });
  });

  test('stays if it is another file, and if the command fails', async () => {
    const path = folder({ 'a.har': good, 'c.json': '{"name":"mine"}' });
    const { code, stderr } = await learn(path);
    const advice = 'the file exists and is not a sachet config; move it away, or pass another path with --out';
    expect([code, stderr]).toEqual([2, `sachet: cannot write ${join(path, 'c.json')}: ${advice}\n`]);
    expect(readFileSync(join(path, 'c.json'), 'utf8')).toBe('{"name":"mine"}');
    mkdirSync(join(path, 'd'));
    expect((await learn(path, '--out', join(path, 'd'))).stderr).toMatch(/: it is not a file; pass another path/);
    writeFileSync(join(path, 'c.json'), '{}');
    writeFileSync(join(path, 'a.har'), '{');
    expect((await learn(path)).code).toBe(1);
    expect(readFileSync(join(path, 'c.json'), 'utf8')).toBe('{}');
  });

  test('is written with exit code 1 if there are findings; --json prints them, and --junit has a case for each', async () => {
    const content = { size: 2, text: '{}' };
    const strange = entry(`${service}/v2/products`, 0, { response: { status: 418, headers: [], content } });
    const path = folder({ 'a.har': har(strange) });
    const { code, stdout } = await learn(path, '--json', '--junit', join(path, 'j.xml'));
    const report = JSON.parse(stdout) as LearnedReport;
    expect(Object.keys(report)).toEqual(['calls', 'skipped', 'observations', 'findings', 'facts']);
    expect([code, report.findings.length]).toEqual([1, 1]);
    expect(loadConfig(join(path, 'c.json')).assumptions).toEqual({});
    const suite = readXml(readFileSync(join(path, 'j.xml'), 'utf8')).children[0];
    expect(suite?.attributes).toMatchObject({
      name: 'sachet learn',
      failures: '1',
      tests: `${report.observations.length + 1}`,
    });
  });
});

const seen = { at: '2026-11-20T12:00:00.000Z', source: 'real.har', call: 'GET /v2/products → 200' };
const observed = (
  assumption: AssumptionId,
  allowed: string[],
  evidence: Observation['evidence'] = seen,
): Observation => ({ assumption, question: 'how', allowed, evidence, next: allowed.length > 1 ? 'GET /v2/x' : null });
const report: LearnedReport = {
  calls: 3,
  skipped: { 'no body': 1 },
  observations: [
    observed('next_cursor', ['meta']),
    observed('max_limit', ['100', '50'], null),
    observed('malformed_path_id', ['400', '422']),
    observed('absent_values', ['omitted']),
  ],
  findings: [
    {
      rules: ['AUTH-3'],
      problems: ['The status is 500, not 401.', 'There is no body.'],
      count: 2,
      evidence: { ...seen, call: 'POST /v2/orders → 500' },
      request: 'POST /v2/orders\n{}',
      answer: `500 ${'x'.repeat(500)}`,
    },
  ],
  facts: { page_size: 50 },
};

test('a recording without a call of the contract is an error', async () => {
  const place = folder({ 'a.har': har(entry(`${service}/v2/catalog`)) });
  const args = ['learn', join(place, 'a.har'), '--out', join(place, 'c.json')];
  const { code, stdout, stderr } = await resultHere(args);
  expect([code, stdout]).toEqual([1, expect.stringContaining('Read 0 calls')]);
  expect(stderr).toContain('sachet: no call could be judged; check the base URL');
});

describe('the report', () => {
  test('is a text with the settled and open assumptions, the findings, facts and skipped calls', () => {
    expect(textOfReport(report)).toBe(`Read 3 calls of the service.

Settled: 2 of 4 assumptions
✓  next_cursor    meta     GET /v2/products → 200 (real.har, 2026-11-20T12:00:00.000Z)
✓  absent_values  omitted  GET /v2/products → 200 (real.har, 2026-11-20T12:00:00.000Z)

Open: 2, with the calls that would decide them
–  max_limit          100 or 50
    GET /v2/x
–  malformed_path_id  400 or 422
    GET /v2/x

Findings: 1
✗  AUTH-3  2 calls  POST /v2/orders → 500 (real.har, 2026-11-20T12:00:00.000Z)
    The status is 500, not 401.
    There is no body.
    request: POST /v2/orders
    {}
    answer: 500 ${'x'.repeat(287)}…

Facts
page_size  50

Calls that could not be judged
1  no body
`);
  });

  test('as JUnit has a failed case for each finding, and a skipped one for each open assumption', () => {
    const suite = readXml(junitDocument('learn', casesOfReport(report, 'learn'))).children[0];
    expect(suite?.attributes).toMatchObject({ tests: '5', failures: '1', skipped: '2' });
    expect(suite?.children[4]).toMatchObject({
      attributes: { name: 'AUTH-3: POST /v2/orders → 500' },
      children: [{ attributes: { message: 'The status is 500, not 401. There is no body.' } }],
    });
  });

  test('keeps what an earlier config settled, unless an answer contradicts it', () => {
    const before = { ...seen, source: 'old.har' };
    const earlier: SachetConfig = {
      assumptions: {
        next_cursor: 'body',
        max_limit: '50',
        malformed_path_id: '404',
        absent_values: 'omitted',
        product_list: 'all',
      },
      verified: { next_cursor: before, max_limit: before, malformed_path_id: before },
      facts: { administration_times: ['Morning'], page_size: 20 },
    };
    const { report: merged, contradicted } = withEarlier(report, earlier);
    expect(contradicted).toEqual([
      expect.stringMatching(/^next_cursor: the earlier config has body, the answers allow only meta since GET /),
      expect.stringMatching(
        /^malformed_path_id: the earlier config has 404, the answers allow only 400, 422 since GET /,
      ),
    ]);
    expect(merged.observations.map(({ allowed, evidence }) => [allowed.join(), evidence?.source])).toEqual([
      ['meta', 'real.har'],
      ['50', 'old.har'],
      ['400,422', 'real.har'],
      ['omitted', 'real.har'],
    ]);
    const path = join(folder(), 'c.json');
    writeConfig(path, merged, earlier);
    expect(loadConfig(path)).toEqual({
      assumptions: { next_cursor: 'meta', max_limit: '50', absent_values: 'omitted' },
      verified: { next_cursor: seen, max_limit: before, absent_values: seen },
      facts: { administration_times: ['Morning'], page_size: 50 },
    });
  });

  test('keeps a choice of an earlier config that has no evidence', () => {
    const path = join(folder(), 'c.json');
    writeConfig(path, report, { assumptions: { max_limit: '50' } });
    expect(loadConfig(path).assumptions).toEqual({ max_limit: '50', next_cursor: 'meta', absent_values: 'omitted' });
    expect(loadConfig(path).verified).not.toHaveProperty('max_limit');
  });
});

describe('--config', () => {
  const config: SachetConfig = {
    assumptions: { next_cursor: 'meta', time_of_administration: 'closed' },
    facts: { administration_times: ['At dawn'] },
  };
  const written = (content: string) => join(folder({ 'c.json': content }), 'c.json');

  test('sets the choices and the times of administration of a server; --assume overrides it', async () => {
    const file = written(JSON.stringify(config));
    const document = async (...flags: readonly string[]) =>
      JSON.stringify(JSON.parse((await resultHere(['openapi', '--config', file, ...flags])).stdout));
    const closed = '"enum":["At dawn"]';
    expect(await document()).toContain(closed);
    expect(await document('--assume', 'time_of_administration=any')).not.toContain(closed);
    const matrix = ['matrix', '--only', 'next_cursor=meta', '--', 'true'];
    expect(await errorHere(matrix, { SACHET_CONFIG: file })).toMatch(/the first run already uses next_cursor=meta;/);
  });

  test('reports every fault of the file, with the nearest name', async () => {
    const file = written('{"assumptions":{"next_cursr":"meta","max_limit":"500"},"facts":{"page_size":"x"},"extra":1}');
    for (const command of ['openapi', 'check', 'serve']) {
      const { code, stderr } = await resultHere([command, '--config', file]);
      expect(code, command).toBe(2);
      expect(stderr).toContain(`${file} $.assumptions: found the unknown key "next_cursr", expected one of`);
      expect(stderr).toContain('. Did you mean "next_cursor"?\n');
      expect(stderr).toContain(`${file} $.assumptions.max_limit: found "500", expected one of`);
      expect(stderr).toContain(`${file} $.facts.page_size: found "x", expected a number\n`);
      expect(stderr).toContain(
        `${file} $: found the unknown key "extra", expected one of assumptions, facts, verified`,
      );
    }
  });

  test('reports a missing file, a folder, and a file that is not JSON', async () => {
    const missing = await errorHere(['openapi', '--config', 'no.json']);
    expect(missing).toBe(`sachet: cannot read the config file "no.json" (${resolve('no.json')}): it does not exist\n`);
    expect(await errorHere(['learn', 'a.har', '--config', folder()])).toMatch(/cannot read the config file .*EISDIR/);
    const file = written('{"assumptions":');
    expect(await errorHere(['matrix', '--config', file, '--', 'true'])).toMatch(
      /\$: found invalid JSON \(line 1, column 16/,
    );
  });

  test('is checked by `sachet check`, which prints how to use it', async () => {
    const file = written(JSON.stringify(config));
    const { code, stdout } = await resultHere(['check', '--config', file]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\n✓ {2}config +\S+c\.json +2 choices, 1 fact\n/)]);
    expect(stdout).toContain(`npx --no -- sachet --config '${file}'\n`);
  });
});
