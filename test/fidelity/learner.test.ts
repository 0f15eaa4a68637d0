// What recordings of sandboxes show: every visible choice, and findings where an answer contradicts the contract.
import { describe, expect, test } from 'vitest';
import type { Choices } from '../../src/contract/assumptions.ts';
import type { HarDocument } from '../../src/contract/control/requests.ts';
import { once } from '../../src/contract/schema.ts';
import { createSachet } from '../../src/create-sachet.ts';
import { Redactor } from '../../src/journal/redaction.ts';
import { nodeHashes } from '../../src/node/platform.ts';
import { consumerId, orderId, products, someOrder } from '../support/order-requests.ts';
import { drawChoices, expectLearned, learn as learnAny, recordingOf } from './recordings.ts';
import { type Call, logIn } from './traffic.ts';

const learn = (entries: readonly unknown[]) => learnAny(entries, redactor);
const redactor = new Redactor(nodeHashes, 'a key of the test');
const named = { first_name: 'Ada', last_name: 'Lovelace' };

test('a recording shows the choices of its sandbox', async () => {
  for (const choices of drawChoices(1)) await expectLearned(choices, 0);
});

/** With the default choices. */
const recording = once(() => recordingOf({}, 1));

type Entry = HarDocument['log']['entries'][number];

/** The recording of a sandbox with default choices, in which the first entry that fits has another answer. */
async function mutated(fits: (entry: Entry) => boolean, change: (response: Entry['response']) => void) {
  const entries = structuredClone(await recording());
  const entry = entries.find(fits);
  if (!entry) throw new Error('no entry fits');
  change(entry.response);
  return learn(entries);
}

const answered = (path: RegExp, status: number) => (entry: Entry) =>
  path.test(entry.request.url) && entry.response.status === status;

const replaceText = (from: string | RegExp, to: string) => (response: Entry['response']) => {
  response.content.text = response.content.text?.replace(from, to);
};

const mutations: readonly [string, Parameters<typeof mutated>, rules: string[], problems: string[]][] = [
  [
    'a renamed field',
    [answered(/\/v2\/products$/, 200), replaceText('"product_name"', '"name"')],
    [],
    ['client_products.*.product_name is missing', 'client_products.*.name is not documented'],
  ],
  [
    'another message',
    [
      (entry) => entry.response.content.text?.includes('"pouches\\" is required') ?? false,
      replaceText(/"message":"(?:[^"\\]|\\.)*"/, '"message":"Pouches?"'),
    ],
    ['ORD-5'],
    ['message is "Pouches?", not "\\"pouches\\" is required"'],
  ],
  [
    'another status',
    [
      answered(/\/v2\/products\/2/, 200),
      (response) => {
        response.status = 203;
      },
    ],
    [],
    ['the status is 203, not 200; 203 is not documented (HTTP-2)'],
  ],
  [
    'a page of another server',
    [answered(/\/v2\/fulfillments$/, 200), replaceText(/.*/s, '<html>')],
    [],
    ['the body is not JSON'],
  ],
  [
    'a value of another type',
    [answered(/\/v2\/fulfillments$/, 200), replaceText(/"weight":[\d.]+/, '"weight":"heavy"')],
    [],
    ['fulfillments.*.weight has an undocumented form: Invalid input: expected number, received string'],
  ],
];

test.for(mutations)('%s is a finding', async ([, change, rules, problems]) => {
  const { findings, observations } = await mutated(...change);
  expect(findings).toMatchObject([{ rules, problems, count: 1 }]);
  expect(observations.filter(({ allowed }) => allowed.length === 0)).toEqual([]);
});

test('answers that contradict each other are a finding that names both', async () => {
  const entries = [...(await recording()), ...(await recordingOf({ order_created_status: '200' }, 2))];
  const { findings, observations } = learn(entries);
  expect(findings).toMatchObject([{ rules: ['order_created_status'] }]);
  expect(findings[0]?.problems[0]).toMatch(
    /^order_created_status is 200 here, and was 201 before \(POST \/v2\/orders → 201, 2026-/,
  );
  expect(observations.find(({ assumption }) => assumption === 'order_created_status')?.allowed).toEqual(['201']);
});

interface Answered {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON of the request; it is then a POST. */
  readonly request?: unknown;
}

const pairsOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

/** An entry as recorders write it, made so many seconds after the others. */
const entry = (path: string, { status, body, headers = {}, request }: Answered, seconds = 0) => ({
  startedDateTime: new Date(Date.parse('2026-11-20T12:00:00Z') + 1000 * seconds).toISOString(),
  request: {
    method: request === undefined ? 'GET' : 'POST',
    url: `https://stage.example.com${path}`,
    headers: pairsOf(headers),
    ...(request !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(request) } }),
  },
  response: {
    status,
    headers: [],
    content: { mimeType: 'application/json', ...(body !== undefined && { text: JSON.stringify(body) }) },
  },
});
const authorization = { Authorization: 'Bearer REDACTED' };
const errorOf = (statusCode: number, error: string, message: string) => ({ statusCode, error, message });

/** The allowed choices of an assumption. */
const allowedIn = ({ observations }: ReturnType<typeof learn>, id: string): readonly string[] =>
  observations.find(({ assumption }) => assumption === id)?.allowed ?? [];

async function entriesOf(assumptions: Partial<Choices>, calls: (call: Call) => Promise<unknown>) {
  await using sachet = createSachet({ assumptions, clock: '2026-11-20T12:00:00Z', randomSeed: 1 });
  const sandbox = await sachet.createSandbox();
  await calls((await logIn(sandbox)).call);
  return (await sandbox.requests.har()).log.entries;
}

describe('no choice is excluded wrongly', () => {
  test('where two other choices explain the answer only together', async () => {
    const foreign = someOrder({
      order_lines: [{ duration: '30', pouches: [{ contents: [{ client_product_id: products.foreign }] }] }],
    });
    const choices = { business_rule_status: 'per_kind', numeric_strings: 'accept' } as const;
    const report = learn(await entriesOf(choices, (call) => call('/v2/orders', foreign)));
    expect(allowedIn(report, 'permissions')).toContain('per_endpoint');
    expect(allowedIn(report, 'numeric_strings')).toContain('accept');

    const limits = { over_max_limit: 'reject', max_limit: '50' } as const;
    const pages = learn(await entriesOf(limits, (call) => call('/v2/fulfillments?limit=70&cursor=zz')));
    expect([pages.findings, allowedIn(pages, 'max_limit')]).toEqual([[], ['50']]);
  });

  test('if the recorder leaves out the tokens, or writes placeholders', () => {
    const list = { client_products: [] };
    const refused = { status: 403, body: errorOf(403, 'Forbidden', 'Insufficient permissions') };
    const stripped = learn([entry('/v2/products', refused), entry('/v2/products', { status: 200, body: list }, 1)]);
    expect(stripped.findings).toEqual([]);
    const expired = errorOf(401, 'Unauthorized', 'Token expired');
    const placeholders = learn([
      entry('/v2/products', { status: 200, body: list, headers: authorization }),
      entry('/v2/products', { status: 401, body: expired, headers: authorization }, 90_000),
    ]);
    expect(allowedIn(placeholders, 'unauthorized_message')).toHaveLength(3);
    expect(placeholders.findings).toEqual([]);
  });

  test('if the answers are for two clients, or a gateway gave them without a body', () => {
    const consumer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' };
    const ordered = (id: number, token: string) =>
      entry(
        '/v2/orders',
        {
          status: 201,
          request: someOrder({ consumer }),
          headers: { Authorization: `Bearer ${token}` },
          body: { order: { id: orderId(id), status: 'Pending', consumer: { ...named, id: consumerId(id) } } },
        },
        id,
      );
    const report = learn([ordered(1, 'a.b.c'), ordered(2, 'd.e.f'), entry('/v2/consumers', { status: 403 }, 3)]);
    expect(allowedIn(report, 'new_consumer_match')).toEqual(['always_new', 'by_email']);
    expect(allowedIn(report, 'consumer_endpoints')).toEqual(['absent', 'assumed']);
    expect(report.skipped).toEqual({ 'the recording does not have the body of the answer': 1 });
  });
});

test('a report is a valid one, and has no secret that the service repeats', () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJpYXQiOjF9.c2lnbmF0dXJl';
  const credentials = { username: 'ann', password: 'hunter22' };
  const times = `"time_of_administration" must be one of [${'x'.repeat(61)}, Noon]`;
  const report = learn([
    entry('/v2/authentication/token', { status: 422, request: credentials, body: { message: 'hunter22 is wrong' } }),
    entry(
      `/v2/products/${token}`,
      { status: 400, headers: authorization, body: errorOf(400, 'Bad Request', token) },
      1,
    ),
    entry('/v2/orders', { status: 422, request: {}, headers: authorization, body: errorOf(422, 'x', times) }, 2),
    entry('/v2/fulfillments?limit=50', { status: 200, body: { fulfillments: [], next_cursor: 'abc' } }, 3),
  ]);
  expect(report.findings.length).toBeGreaterThan(1);
  expect(JSON.stringify(report)).not.toMatch(/hunter22|eyJhbGci/);
  expect(report.facts).toEqual({});
});

test('a call with many faults and many lines is judged in bounded time', () => {
  const bad = { duration: '30', x: 1, pouches: [{ contents: [], pack_id: '', time_of_administration: '' }] };
  const request = {
    consumer: { first_name: ' ', phone_number: '1'.repeat(20), y: 1 },
    order_lines: Array(200).fill(bad),
  };
  const start = performance.now();
  learn([entry('/v2/orders', { status: 422, request, headers: authorization, body: errorOf(422, 'x', 'x') })]);
  expect(performance.now() - start).toBeLessThan(10_000);
});
