// `sachet matrix`: which readings a client depends on, and which it never asked for.
import { describe, expect, test } from 'vitest';
import { assumptionIds, assumptionRegister } from '../../src/contract/assumptions.ts';
import { rules } from '../../src/contract/rules.ts';
import { version } from '../../src/version.ts';
import { document, failed, matrix, type ResultShown } from '../support/matrix.ts';
import { productId, unknownId } from '../support/order-requests.ts';
import { client, pagingClient } from '../support/written-clients.ts';

const places = ['body', 'meta', 'link_header', 'header'] as const;
const others = (place: string) =>
  assumptionRegister.next_cursor.choices.map(([reading]) => reading).filter((reading) => reading !== place);
const result = (results: readonly ResultShown[], assumption: string, reading: string) =>
  results.find((one) => one.assumption === assumption && one.reading === reading);

/** Fails in every run but the first. */
const failsTurned = "if (assume) fail('turned');";

describe('a client that reads the cursor from one place', () => {
  test.each(places)('%s fails exactly at the other readings of next_cursor', async (place) => {
    const { code, results } = await document(pagingClient(place), ['--assume', `next_cursor=${place}`]);
    expect(failed(results)).toEqual(others(place).map((reading) => `next_cursor=${reading}`));
    expect(code).toBe(1);
    expect(results.map(({ assumption, reading }) => `${assumption}=${reading}`)).toEqual(
      assumptionIds.flatMap((id) => {
        const base = id === 'next_cursor' ? place : assumptionRegister[id].choices[0][0];
        const names: readonly string[] = assumptionRegister[id].choices.map(([reading]) => reading);
        return names.filter((reading) => reading !== base).map((reading) => `${id}=${reading}`);
      }),
    );
  });

  test('passes where only the readings of others are looked at', async () => {
    const { code, results } = await document(pagingClient('body'), ['--only', 'list_order,max_limit=50']);
    expect(code).toBe(0);
    expect(results).toMatchObject([
      {
        assumption: 'max_limit',
        reading: '50',
        passed: true,
        reached: true,
        exit_code: 0,
        request: null,
        output: null,
      },
      { assumption: 'list_order', reading: 'oldest_first', passed: true, reached: true },
    ]);
  });

  test.each([
    [
      'a sandbox of its own',
      'own',
      "const made = await call('POST', '/_admin/sandboxes', { name: 'own' });\nconst at = new URL((await made.json()).base_url).pathname;\nawait logIn(username, at);\nawait readAll(at);",
    ],
    ['a sandbox made by a login', 'w7', "await logIn(username + '+w7');\nawait readAll();"],
  ])('fails in %s, too, which has the readings of its run', async (_, sandbox, does) => {
    const { results } = await document(pagingClient('body', does), ['--only', 'next_cursor']);
    expect(failed(results)).toEqual(others('body').map((reading) => `next_cursor=${reading}`));
    expect(results.map(({ request }) => request?.sandbox)).toEqual([sandbox, sandbox, sandbox]);
  });

  test('the whole document', async () => {
    const args = ['--only', 'next_cursor=meta,unknown_fields', '--assume', 'list_order=oldest_first'];
    const { code, notes, words, ...told } = await document(pagingClient('body'), args);
    const milliseconds = expect.any(Number);
    const answered = 'GET /v2/fulfillments answered 200. This run used next_cursor=meta';
    expect(told).toEqual({
      version,
      command: words,
      assumptions: { list_order: 'oldest_first' },
      duration_ms: milliseconds,
      first_run: { duration_ms: milliseconds, requests: 4 },
      results: [
        {
          ...{ assumption: 'unknown_fields', reading: 'ignore', passed: true, reached: true, met: true },
          ...{ exit_code: 0, signal: null, timed_out: false, duration_ms: milliseconds, request: null, output: null },
        },
        {
          ...{ assumption: 'next_cursor', reading: 'meta', passed: false, reached: true, met: true },
          ...{ exit_code: 1, signal: null, timed_out: false, duration_ms: milliseconds },
          request: {
            ...{ sandbox: 'stage', method: 'GET', path: '/v2/fulfillments', operation: 'fulfillments.list' },
            ...{ status: 200, rules: [] },
            explanation: `${answered}: meta.next_cursor, null on the last page (first run: body: next_cursor, null on the last page)`,
          },
          output: 'saw 10 of 27 fulfillments\n',
        },
      ],
    });
  });
});

describe('a reading whose assumption was never asked for', () => {
  const asksNothingOfOrders = client('note(assume);\nawait logIn();');

  test('is not run, and told as not reached', async () => {
    const { code, notes, results } = await document(asksNothingOfOrders, ['--only', 'pag_lookup,rate_limit']);
    expect(code).toBe(0);
    expect(notes).toEqual(['', 'rate_limit=100/60s']);
    expect(result(results, 'pag_lookup', 'brand')).toEqual({
      ...{ assumption: 'pag_lookup', reading: 'brand', passed: true, reached: false, met: false },
      ...{ exit_code: null, signal: null, timed_out: false, duration_ms: null, request: null, output: null },
    });
  });

  test('is run by --all, and is not reached for that', async () => {
    const { notes, results } = await document(asksNothingOfOrders, ['--all', '--only', 'pag_lookup']);
    expect(notes).toEqual(['', 'pag_lookup=brand']);
    expect(results).toMatchObject([{ passed: true, reached: false, exit_code: 0, timed_out: false }]);
  });

  test('is reached where its own run asks for it', async () => {
    const asksLater = client("await logIn(assume ? 'nobody' : username);");
    const { results } = await document(asksLater, ['--all', '--only', 'bad_credentials=400,pag_lookup']);
    expect(results).toMatchObject([
      { assumption: 'bad_credentials', reached: true },
      { assumption: 'pag_lookup', reached: false },
    ]);
  });

  test('may still fail, and then no request is told', async () => {
    const { code, results } = await document(client(`await logIn();\n${failsTurned}`), [
      '--all',
      '--only',
      'pag_lookup',
    ]);
    expect(code).toBe(1);
    expect(results).toMatchObject([{ passed: false, reached: false, request: null, output: 'turned\n' }]);
  });
});

test('a first run without a request is told loudly, and nothing is reached', async () => {
  const { code, stdout, stderr } = await matrix(client('note(base);'), ['--json']).told();
  expect(stderr).toBe(
    'sachet: the command sent no request to the server; point it at SACHET_BASE_URL, or pass the variable that it reads with --env NAME=base_url\n',
  );
  expect(code).toBe(0);
  const { first_run, results } = JSON.parse(stdout) as { first_run: object; results: ResultShown[] };
  expect(first_run).toMatchObject({ requests: 0 });
  expect(results.filter(({ reached, passed }) => reached || !passed)).toEqual([]);
});

describe('the request that is told of a run that failed', () => {
  const get = (path: string): string => `await call('GET', '${path}');\n`;
  const list = (limit: number): string => get(`/v2/fulfillments?limit=${limit}`);
  const orders = get('/v2/orders');
  /** Of a client that fails in every run but the first. */
  async function requestOf(does: string, only = 'max_limit') {
    const { results } = await document(client(`await logIn();\n${does}if (assume) fail('');`), ['--only', only]);
    return results[0]?.request;
  }

  test('is the first whose outcome the first run had not, with why it was refused', async () => {
    const products = [unknownId, productId(1), productId(9)].map((id) => get(`/v2/products/${id}`));
    const request = await requestOf(products.join(''), 'foreign_resource');
    const path = `/v2/products/${productId(9)}`;
    expect(request).toMatchObject({ path, status: 403, rules: ['foreign_resource'], operation: 'products.get' });
    expect(request?.explanation).toBe(
      `GET ${path} answered 403. Rejected by foreign_resource. ${rules.foreign_resource.requires}. This run used foreign_resource=403: Insufficient permissions (first run: 404: the same as for an unknown id)`,
    );
  });

  test('is the first whose outcome came more often than in the first run', async () => {
    const again = `${list(1)}${list(1)}${list(0)}${orders}if (assume) ${orders}`;
    expect(await requestOf(again)).toMatchObject({ operation: 'orders.list', status: 200 });
  });

  test('else the first that was refused', async () => {
    expect(await requestOf(list(1) + list(0) + orders)).toMatchObject({
      ...{ operation: 'fulfillments.list', status: 400, rules: ['malformed_parameter'] },
    });
  });

  test('else the first that met the reading', async () => {
    const calls = get('/v2/products') + list(1) + orders;
    expect(await requestOf(calls)).toMatchObject({ operation: 'fulfillments.list', status: 200 });
  });

  test('is none that the client has turned back for', async () => {
    const turnsBack = `token = key;\nawait call('PATCH', '/_admin/sandboxes/stage/assumptions', { max_limit: '100' });\nawait logIn();\n`;
    expect(await requestOf(turnsBack + list(1))).toBe(null);
  });
});

describe('the world of every run', () => {
  const notesReadings = client(
    "const answer = await call('GET', '/_admin/sandboxes/stage/assumptions');\nconst { fulfillment_timeline, next_cursor, order_endpoints } = await answer.json();\nnote([assume, fulfillment_timeline, next_cursor, order_endpoints].join(' '));\nawait logIn();",
  );

  test('has all its readings in SACHET_ASSUME, those of the profile and the scenarios, too', async () => {
    const args = ['--profile', 'strict', '--scenario', 'doorstep', '--assume', 'next_cursor=meta', '--parallel', '1'];
    const { notes } = await document(notesReadings, [
      ...args,
      '--all',
      '--only',
      'fulfillment_timeline,order_endpoints',
    ]);
    const others = 'next_cursor=meta';
    expect(notes).toEqual([
      `order_endpoints=absent,${others},fulfillment_timeline=automatic automatic meta absent`,
      `${others},fulfillment_timeline=automatic automatic meta assumed`,
      `order_endpoints=absent,${others} manual meta absent`,
    ]);
  });

  test('is fresh, and as the flags say', async () => {
    const clock = '2031-01-02T03:04:05.000Z';
    const makesSandbox = client(
      "const made = await call('POST', '/_admin/sandboxes', { name: 'own' });\nawait logIn();\nconst { headers } = await call('GET', '/v2/products');\nnote(made.status + ' ' + headers.get('date') + ' ' + token);",
    );
    const { code, notes } = await document(makesSandbox, [
      '--clock',
      clock,
      '--random-seed',
      'x',
      '--only',
      'next_cursor',
      '--all',
    ]);
    expect(code).toBe(0);
    expect(notes).toHaveLength(4);
    expect(new Set(notes).size).toBe(1);
    expect(notes[0]).toMatch(/^201 Thu, 02 Jan 2031 03:04:05 GMT eyJ/);
  });

  test('is told under further names by --env', async () => {
    const told = client(
      "const { API_URL, V2, LOGIN, KEY, SACHET_PROFILE, SACHET_SCENARIO, SACHET_URL, SACHET_SANDBOX } = process.env;\nnote(JSON.stringify([API_URL === base, V2 === base + '/v2?a,b', LOGIN === username + ':' + password, KEY === key, SACHET_PROFILE ?? SACHET_SCENARIO ?? null, SACHET_URL === base, SACHET_SANDBOX]));\nawait logIn();",
    );
    const flags = ['--env', 'API_URL=base_url', '--env', 'V2={base_url}/v2?a,b, LOGIN={username}:{password}'];
    const { notes } = await document(told, [...flags, '--env', 'KEY=admin_key', '--only', 'rate_limit'], {
      ...{
        SACHET_PROFILE: 'strict',
        SACHET_SCENARIO: 'doorstep',
        SACHET_URL: 'http://localhost:1',
        SACHET_SANDBOX: 'other',
      },
    });
    expect(notes.map((note) => JSON.parse(note))).toEqual([
      [true, true, true, true, null, true, 'stage'],
      [true, true, true, true, null, true, 'stage'],
    ]);
  });
});
