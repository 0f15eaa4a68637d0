// `sachet calibrate`: it finds the choices of a service, changes nothing unless asked, goes on after a crash, and ends
// clearly if the service does not answer as one.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../src/contract/assumptions.ts';
import { resolveChoices } from '../../src/contract/resolved-assumptions.ts';
import { selfSigned } from '../../src/node/self-signed.ts';
import { roundsOfChoices } from '../cases/common.ts';
import { served } from '../library/starts.ts';
import { folder, listening, sachet } from '../support/command.ts';
import { errorHere, resultHere } from '../support/command-here.ts';
import { products } from '../support/order-requests.ts';
import { afterLogin, calibrated, calibration, env, fakeService, known, password, service } from './calibrate.ts';

const observable = assumptionIds.filter((id) => !('unobservable' in assumptionRegister[id].probe));

/** The assumptions that no answer shows under these choices: a message without details, or with the first error only. */
function hiddenBy({ validation_placement: placement, validation_report: report }: Choices): AssumptionId[] {
  const hasDetails = placement === 'both' || placement === 'details';
  const showsAll = placement !== 'message' && report === 'all';
  return [
    ...(hasDetails ? [] : ['field_path' as const]),
    ...(showsAll ? [] : ['faults_per_field' as const]),
    ...(hasDetails || showsAll ? [] : (['validation_placement', 'validation_report'] as const)),
  ];
}

const anyChoices = fc.record(
  Object.fromEntries(
    assumptionIds.map((id) => [id, fc.constantFrom(...assumptionRegister[id].choices.map(([choice]) => choice))]),
  ),
) as unknown as fc.Arbitrary<Choices>;

const sets: readonly (readonly [string, Partial<Choices>])[] = [
  ['the defaults', {}],
  ['the profile strict', { order_endpoints: 'absent' }],
  ['all second choices', roundsOfChoices[1] ?? {}],
  ...fc.sample(anyChoices, { numRuns: 20, seed: 33 }).map((choices, n) => [`random set ${n}`, choices] as const),
];

test.each(sets)('finds every choice of a service with %s', async (_, choices) => {
  const server = await service(choices);
  const { code, report, stderr } = await calibrated(server.baseUrl, ['--allow-writes', ...known]);
  expect([code, report.findings], stderr).toEqual([0, []]);
  const all = resolveChoices(choices);
  const allowed = new Map(report.observations.map((one) => [one.assumption, one.allowed]));
  for (const id of assumptionIds) expect(allowed.get(id), id).toContain(all[id]);
  const hidden = hiddenBy(all);
  const open = observable.filter((id) => !hidden.includes(id) && (allowed.get(id)?.length ?? 0) !== 1);
  expect(open).toEqual([]);
});

test('writes a config with which a sandbox answers as the service does', async () => {
  const choices = { next_cursor: 'meta', numeric_strings: 'accept', time_of_administration: 'closed' } as const;
  const first = await calibrated((await service(choices)).baseUrl);
  const config = JSON.parse(readFileSync(first.out, 'utf8'));
  expect(config).toMatchObject({ assumptions: choices, facts: { administration_times: expect.any(Array) } });
  const second = await calibrated((await served({ config })).baseUrl);
  const allowed = ({ report }: typeof first) => report.observations.map((one) => [one.assumption, one.allowed]);
  expect(allowed(second)).toEqual(
    allowed(first).map(([id, all]) => (id === 'max_limit' ? [id, ['100', '50']] : [id, all])),
  );
  const merged = await calibrated((await service(choices)).baseUrl, ['--only', 'status_id', '--config', first.out]);
  expect(JSON.parse(readFileSync(merged.out, 'utf8')).assumptions).toEqual(config.assumptions);
});

describe('without --allow-writes', () => {
  test.each(roundsOfChoices.map((choices, round) => [round, choices] as const))(
    'it changes nothing of a service with the choices of round %i',
    async (_, choices) => {
      const server = await service(choices);
      const stage = server.sandbox('stage');
      const stored = async () => {
        const { orders, consumers, fulfillments } = (await stage.state.get()) as Record<string, unknown>;
        return { orders, consumers, fulfillments };
      };
      const before = await stored();
      await calibrated(server.baseUrl, known);
      const { requests } = await stage.requests.list({ limit: 1000 });
      const orders = requests.filter(({ method, path }) => method === 'POST' && path === '/v2/orders');
      expect(orders.length).toBeGreaterThan(10);
      expect(orders.filter(({ status }) => (status ?? 0) < 400)).toEqual([]);
      expect(await stored()).toEqual(before);
    },
  );

  test("it orders no product that is given as another client's, and can be read", async () => {
    const server = await service();
    const own = ['--only', 'foreign_resource', '--known', `foreign_product=${products.good}`];
    const { stderr, report } = await calibrated(server.baseUrl, own);
    expect(report.calls).toBe(4);
    expect(stderr).toContain(
      "foreign_resource stays open: it takes another client's product, but this one can be read;",
    );
  });

  test.each([
    ['another 404', 404, { message: 'Not Found' }, 'the answer 404 to its read does not show that it is one'],
    ['an error', 503, {}, 'the answer 503 to its read does not show that it is one'],
    ['404, but its list has it', 404, { message: 'Product not found' }, 'this one can be read'],
  ])('it orders no product whose read is answered with %s', async (what, status, body, reason) => {
    const listed = what.includes('list') ? [{ id: products.good, active: true }] : [];
    const { url, requests } = await fakeService(
      afterLogin((request, response) => {
        const isRead = request.url?.endsWith(products.good);
        response.writeHead(isRead ? status : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(isRead ? body : { client_products: listed }));
      }),
    );
    const foreign = ['--only', 'foreign_resource', '--known', `foreign_product=${products.good}`];
    expect((await calibrated(url, foreign)).stderr).toContain(`another client's product, but ${reason};`);
    expect(requests).not.toContain('POST /v2/orders');
  });

  test('it says that an order may exist if the answer has no id', async () => {
    const { url } = await fakeService(
      afterLogin(({ method }, response) => void response.writeHead(method === 'POST' ? 204 : 404).end()),
    );
    const { code, stderr } = await calibrated(url);
    expect(code).toBe(1);
    expect(stderr).toContain('Maybe left in the service: 1 order for "Sachet probe", accepted without an id');
  });

  test('it ends when the service accepts an order that it should refuse, and says what it created', async () => {
    const created = { order: { id: products.good, status: 'Pending', consumer: { id: products.foreign } } };
    const { url, requests } = await fakeService(
      afterLogin((request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(request.method === 'POST' ? created : {}));
      }),
    );
    const { args, progress } = calibration(url);
    const { code, stderr } = await resultHere(args, env);
    expect(code).toBe(1);
    expect(requests.filter((line) => line === 'POST /v2/orders')).toHaveLength(1);
    expect(requests.at(-1)).toBe(`POST /v2/orders/${products.good}/cancel`);
    const count = requests.length;
    const again = await resultHere(args, env);
    expect([again.code, requests.length]).toEqual([1, count]);
    expect(again.stderr).toContain(`no more orders; delete ${progress} to start again`);
    expect(stderr).toContain('the service accepted POST /v2/orders with no shipping_address and no order_lines');
    expect(stderr).toContain(`order ${products.good} (Pending)`);
  });
});

test('a base URL with /v2/ in it creates no order, and a run without a judged call fails', async () => {
  const accepting = afterLogin(
    (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  );
  const { url, requests } = await fakeService((request, response) => {
    request.url = request.url?.replace('/v2/tenant', '') ?? '';
    accepting(request, response);
  });
  await calibrated(`${url}/v2/tenant`);
  expect(requests.filter((line) => line === 'POST /v2/tenant/v2/orders').length).toBeLessThan(2);
});

test('asks on if the host of the labels does not answer', async () => {
  const { url, requests } = await fakeService(
    afterLogin((_, response) => {
      const fulfillments = [{ id: products.good, label_url: 'http://127.0.0.1:1/label.pdf' }];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ fulfillments }));
    }),
  );
  const { stderr } = await calibrated(url, ['--only', 'storage_auth,max_limit']);
  expect(stderr).toMatch(
    /^storage_auth stays open: GET \{label_url\} .*: no server answers at http:\/\/127\.0\.0\.1:1 /m,
  );
  expect(requests.at(-1)).toBe('GET /v2/fulfillments?limit=100');
});

test.each(['http://', 'file:///etc/passwd', 'http://user:hidden@127.0.0.1:1/'])(
  'a label_url %s leaves only storage_auth open, also in the next run',
  async (label_url) => {
    const { url, requests } = await fakeService(
      afterLogin((_, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ fulfillments: [{ id: products.good, label_url }] }));
      }),
    );
    const { args } = calibration(url, ['--only', 'storage_auth,max_limit', '--max-requests', '5']);
    for (const _ of [1, 2]) {
      const { stderr } = await resultHere(args, env);
      expect(stderr).toMatch(/^storage_auth stays open: no answer had its \{label_url\};/m);
      expect(stderr).not.toContain('hidden');
    }
    expect(requests).toContain('GET /v2/fulfillments?limit=100');
  },
);

test('with --allow-writes it says what it will create, and cancels it', async () => {
  const server = await service();
  const { stderr } = await calibrated(server.baseUrl, ['--allow-writes', '--only', 'new_consumer_match']);
  expect(stderr).toMatch(
    /^Creates up to 2 orders for consumers named "Sachet probe" with email sachet-probe\+\w{10}@example\.com$/m,
  );
  expect(stderr.match(/^Created and canceled: order \S+ of consumer \S+$/gm)).toHaveLength(2);
});

test('if the progress file cannot be written, it cancels the order, and says what is left', async () => {
  const server = await service();
  const { args, progress } = calibration(server.baseUrl, ['--allow-writes', '--only', 'pack_id']);
  const slow = args.map((word) => (word === '5000' ? '5' : word));
  const running = sachet(slow, env);
  await running.until('the announcement', ({ stderr }) => stderr.includes('Creates up to 1 order for'));
  rmSync(progress);
  mkdirSync(progress);
  expect(await running.ended()).toBe(1);
  expect(running.stderr).toMatch(
    /\nCreated and canceled: order \S+ of consumer \S+\nsachet: cannot write the progress file /,
  );
});

describe('a run that ended early', () => {
  /** What the service received, without the ids that each run makes up; not what every run asks again. */
  async function received({ sandbox }: Awaited<ReturnType<typeof service>>): Promise<string[]> {
    const { log } = await sandbox('stage').requests.har();
    const unknown = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
    const lines = log.entries.map(
      ({ request: { method, url, postData } }) =>
        `${method} ${url.slice(url.indexOf('/v2/'))} ${postData?.text.replaceAll(unknown, 'id')}`,
    );
    return lines.filter((line) =>
      /^POST \/v2\/orders|^GET \/v2\/(?:orders|consumers|fulfillments\?limit=-)/.test(line),
    );
  }

  test('because it was killed goes on where it stopped, also after a torn line', async () => {
    const server = await service();
    const { args, out, progress } = calibration(server.baseUrl, ['--json', ...known]);
    const slow = args.map((word) => (word === '5000' ? '40' : word));
    const running = sachet(slow, env);
    await running.until('order with a blank city', ({ stderr }) => stderr.includes('a blank city'));
    running.child.kill('SIGKILL');
    await running.ended();
    appendFileSync(progress, '{"request":"{\\"method');
    const written = readFileSync(progress, 'utf8');
    expect(written).not.toContain(password);
    expect(written).not.toMatch(/eyJ[\w-]+\./);
    const before = await received(server);
    const { code, stdout } = await resultHere(args, env);
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    const open = report.observations.flatMap(
      ({ assumption, allowed }: { assumption: AssumptionId; allowed: string[] }) =>
        observable.includes(assumption) && allowed.length > 1 ? [assumption] : [],
    );
    expect(open).toEqual(['order_created_status', 'new_consumer_match', 'pack_id']);
    const all = await received(server);
    expect(before.length).toBeGreaterThan(5);
    expect(all.length).toBeGreaterThan(before.length);
    // The request that it waited for may come again.
    const repeated = all.filter((line, at) => all.indexOf(line) < at);
    expect([[], before.slice(-1)]).toContainEqual(repeated);
    expect([existsSync(out), existsSync(progress)]).toEqual([true, false]);
  });

  test('between two orders goes on with the same consumer, and cancels both', async () => {
    const server = await service({ new_consumer_match: 'by_email' });
    const { args } = calibration(server.baseUrl, ['--allow-writes', '--only', 'new_consumer_match']);
    expect((await resultHere([...args, '--max-requests', '4'], env)).stderr).toMatch(/order \S+ \(Pending\) of/);
    const { stdout, stderr } = await resultHere(args, env);
    expect(stdout).toMatch(/✓ +new_consumer_match +by_email/);
    const left = [...stderr.matchAll(/^Created and canceled: order (\S+) of consumer (\S+)$/gm)];
    expect(left.map(([, , consumer]) => consumer)).toEqual([left[0]?.[2], left[0]?.[2]]);
    expect(new Set(left.map(([, order]) => order)).size).toBe(2);
  });

  test('by Ctrl-C says how to go on', async () => {
    const server = await service();
    const { args, progress } = calibration(server.baseUrl);
    const running = sachet(
      args.map((word) => (word === '5000' ? '5' : word)),
      env,
    );
    await running.until('third request', ({ stderr }) => stderr.includes('limit=1'));
    running.child.kill('SIGINT');
    running.child.kill('SIGINT');
    expect(await running.ended()).toBe(130);
    expect(running.stderr).toContain(`sachet: stopped; run the same command again to go on (${progress})\n`);
  });

  test('by --max-requests is no error', async () => {
    const server = await service();
    const { code, stderr, progress } = await calibrated(server.baseUrl, ['--max-requests', '5']);
    expect([code, existsSync(progress)]).toEqual([0, true]);
    expect(stderr).toContain('sachet: sent 5 requests, as many as --max-requests allows; run the same command again');
  });

  test('by --max-requests that are too few for any question is an error', async () => {
    const server = await service();
    const { args } = calibration(server.baseUrl, ['--max-requests', '1']);
    expect((await resultHere(args, env)).code).toBe(0);
    const { code, stderr } = await resultHere(args, env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('needs more; pass a larger --max-requests')]);
  });

  test('leaves a file that only a run with the same target and user takes', async () => {
    const { args, progress } = calibration('http://127.0.0.1:1');
    const { url } = await fakeService(afterLogin((_, response) => void response.writeHead(503).end()));
    const first = calibration(url);
    await resultHere(first.args, env);
    const lines = readFileSync(first.progress, 'utf8').split('\n');
    writeFileSync(progress, lines.join('\n'));
    expect(await errorHere(args, env)).toContain(`${progress} has the progress of a run with --target ${url}; `);
    const user = first.args.map((word) => (word === 'demo' ? 'other' : word));
    expect(await errorHere(user, env)).toContain(`${first.progress} has the progress of a run with --username demo; `);
    writeFileSync(progress, `${lines[0]}\n`);
    expect((await resultHere(args, env)).stderr).toContain('no server answers at http://127.0.0.1:1 ');
    writeFileSync(progress, 'not JSON\n');
    expect(await errorHere(args, env)).toContain(
      `line 1 of the progress file ${progress} is not valid; delete the file`,
    );
  });
});

describe('a service that does not answer as one', () => {
  const html = afterLogin((_, response) => void response.setHeader('content-type', 'text/html').end('<html>'));
  const redirect = afterLogin((_, response) => void response.writeHead(302, { location: '/login?secret=1' }).end());
  const slow = afterLogin(() => undefined);
  const dying = afterLogin((_, response) => void response.destroy());
  const failing = afterLogin((_, response) => void response.writeHead(503).end());
  const busy = afterLogin((_, response) => void response.writeHead(429, { 'retry-after': '0' }).end());
  test.each([
    ['a page', html, 2, 'the answer to GET /v2/products is an HTML page: maybe a login page or a proxy; pass the URL'],
    ['a redirect', redirect, 2, 'the answer to GET /v2/products redirects to /login, which is not followed: maybe'],
    ['nothing in time', slow, 2, 'no answer to GET /v2/products within 0.5 s (--timeout)'],
    ['a broken connection', dying, 2, /GET \/v2\/products: no server answers at http:\S+ \([^)]+\); check --target/],
    ['503 to each request', failing, 4, '3 requests in a row were answered 503; run the command again later'],
    ['429 to each request', busy, 4, 'GET /v2/products was answered 429 Too Many Requests 3 times; lower --rate'],
  ])('ends the run with a clear message: %s', async (_, answer, count, message) => {
    const { url, requests } = await fakeService(answer);
    const { code, stderr, report, progress } = await calibrated(url, ['--timeout', '0.5']);
    expect(stderr).toMatch(typeof message === 'string' ? new RegExp(escaped(message)) : message);
    expect([code, requests.length, existsSync(progress)]).toEqual([1, count, true]);
    expect(report.calls).toBeGreaterThan(0);
    expect(stderr).not.toContain('secret');
  });
  const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

  test('waits as Retry-After says, and sends the request again', async () => {
    let isFirst = true;
    const { url, requests } = await fakeService(
      afterLogin((_, response) => {
        response.writeHead(isFirst ? 429 : 503, isFirst ? { 'retry-after': '1' } : {}).end();
        isFirst = false;
      }),
    );
    const start = performance.now();
    await calibrated(url);
    expect(performance.now() - start).toBeGreaterThan(900);
    expect(requests.slice(1, 3)).toEqual(['GET /v2/products', 'GET /v2/products']);
  });

  test('repeats the password and a token: no text has them', async () => {
    const token = 'opaque/Token-1';
    const { url } = await fakeService((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/v2/authentication/token')
        return void response.end(JSON.stringify({ access_token: token, refresh_token: 'r', note: [password] }));
      const message = `"password" with value "${password}" and ${token} fails`;
      response.writeHead(422).end(JSON.stringify({ statusCode: 422, error: 'Unprocessable Entity', message }));
    });
    const junit = join(folder(), 'calibrate.xml');
    const result = await calibrated(url, ['--junit', junit, '--max-requests', '30']);
    const files = [junit, result.out, result.progress].map((path) => readFileSync(path, 'utf8'));
    for (const text of [result.stdout, result.stderr, ...files]) {
      expect(text).not.toContain(password);
      expect(text.replaceAll('\\/', '/')).not.toContain(token);
    }
    expect(result.stdout).toContain('[redacted] fails');
  });

  test.each([
    ['a token that is no header', { access_token: 'hidden\nvalue', refresh_token: 'r' }, {}],
    ['a redirect with credentials', { access_token: 'a.b.c' }, { location: 'http://u:hidden@127.0.0.1:1/x?t=hidden' }],
  ])('sends %s, which is not printed', async (_, login, headers) => {
    const { url } = await fakeService((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.method === 'POST') response.end(JSON.stringify(login));
      else response.writeHead(302, headers).end();
    });
    const { code, stderr } = await calibrated(url);
    expect([code, stderr]).toEqual([1, expect.not.stringContaining('hidden')]);
    expect(stderr).toMatch(/could not be sent|redirects to http:\/\/127\.0\.0\.1:1\/x,/);
  });

  test('has an answer that is too large', async () => {
    const { url } = await fakeService(
      afterLogin((_, response) => {
        response.setHeader('content-length', 2 ** 40);
        const piece = Buffer.alloc(2 ** 20, ' ');
        const write = (): unknown => response.write(piece, (error) => error || write());
        write();
      }),
    );
    const { stderr } = await calibrated(url);
    expect(stderr).toContain(
      'the answer to GET /v2/products has 1099511627776 bytes, more than 64 MiB, and is not read',
    );
  });

  test('refuses the login', async () => {
    const server = await service();
    const { args } = calibration(server.baseUrl);
    const { code, stderr } = await resultHere(args, { CALIBRATE_PASSWORD: 'wrong-password' });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'the login of "demo" was answered 401 without an access_token; check --target, --username, and the variable ' +
        'CALIBRATE_PASSWORD, which has the password',
    );
    expect(stderr).not.toContain('wrong-password');
  });

  test('is not there, or has an untrusted certificate', async () => {
    const absent = await calibrated('http://127.0.0.1:1');
    expect(absent.stderr).toMatch(
      /no server answers at http:\/\/127\.0\.0\.1:1 \(.+\); check --target, and that the service/,
    );
    const { cert, key } = await selfSigned(['127.0.0.1']);
    const port = await listening(createServer({ cert, key }, (_, response) => void response.end()));
    const { code, stderr } = await calibrated(`https://127.0.0.1:${port}`);
    expect(code).toBe(1);
    expect(stderr).toContain(
      '(UNABLE_TO_VERIFY_LEAF_SIGNATURE); set the variable NODE_EXTRA_CA_CERTS to the file of its CA',
    );
  });
});

describe('the flags', () => {
  test('--plan prints the requests in their order, without secrets, and sends none', async () => {
    const { url, requests } = await fakeService((_, response) => void response.end());
    const { args, progress } = calibration(url, ['--plan', '--allow-writes']);
    const { code, stdout, stderr } = await resultHere(args);
    expect([code, stderr, requests, existsSync(progress)]).toEqual([0, '', [], false]);
    const lines = stdout.split('\n');
    expect(lines[0]).toContain(`Connects to ${url}, and to the {label_url} that it gives`);
    expect(lines.indexOf('  GET /v2/products')).toBeLessThan(lines.indexOf('numeric_strings'));
    expect(lines.indexOf('numeric_strings')).toBeLessThan(lines.indexOf('pack_id (creates an order)'));
    expect(stdout).toContain('"password":"{password}"');
  });

  test('--plan --json prints one document', async () => {
    const { stdout } = await resultHere(
      calibration('http://127.0.0.1:1', ['--plan', '--json', '--only', 'next_cursor']).args,
    );
    expect(JSON.parse(stdout)).toMatchObject({
      opening: { length: 3 },
      steps: [{ assumption: 'next_cursor', requests: [] }],
    });
  });

  test('--out and --junit need two files', async () => {
    const { args, out } = calibration('http://127.0.0.1:1');
    expect(await errorHere([...args, '--junit', out], env)).toContain(`--out and --junit both name ${out}; `);
  });

  test('--only asks about one assumption', async () => {
    const server = await service();
    const { report } = await calibrated(server.baseUrl, ['--only', 'numeric_strings']);
    expect(report.calls).toBe(4);
    expect(report.observations.find(({ assumption }) => assumption === 'numeric_strings')?.allowed).toEqual(['reject']);
  });

  test('--only of an assumption whose probe writes needs --allow-writes', async () => {
    const server = await service();
    const { code, stderr } = await calibrated(server.baseUrl, ['--only', 'pack_id,numeric_strings']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^pack_id stays open: its probe creates an order; pass --allow-writes$/m);
    expect(stderr.match(/stays open/g)).toHaveLength(1);
    expect((await calibrated(server.baseUrl)).stderr).not.toContain('--allow-writes');
  });

  test.each([
    ['--target', 'http://localhost/v2', '"http://localhost/v2" ends with /v2. Use the URL before it: http://localhost'],
    ['--only', 'next_courser', 'There is no assumption "next_courser". Did you mean "next_cursor"?'],
    ['--only', 'pag_lookup', "No request decides pag_lookup: it takes the operator's list of PAGs."],
    ['--known', 'foreign', '"foreign" is not of the form name=value. The names are: '],
    ['--known', 'foreign=1', 'No request has a value "foreign". The names are: '],
  ])('%s %s is refused', async (flag, value, message) => {
    expect(await errorHere([...calibration('http://127.0.0.1:1').args, flag, value], env)).toContain(message);
  });

  test('--password-env names a variable with a value', async () => {
    const message = 'the variable CALIBRATE_PASSWORD of --password-env has no value; set it to the password';
    expect(await errorHere(calibration('http://127.0.0.1:1').args)).toContain(message);
  });
});
