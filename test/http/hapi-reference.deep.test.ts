// Sachet and the hapi reference get the same bytes and give the same responses, except for the named differences.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorBody } from '../../src/contract/refusal.ts';
import type { RuleId } from '../../src/contract/rules.ts';
import { Connection, type HttpAnswer, type Wire, wire } from '../support/wire.ts';
import { differences, type Summary } from './hapi/differences.ts';
import { bytesOf, type ReferenceRequest, referenceRequest } from './hapi/requests.ts';
import { type HapiServer, passedHeader, startReference } from './hapi/server.ts';

let sachet: Wire;
let hapi: HapiServer;
let token: string;
let lines: readonly [Connection, Connection];
beforeAll(async () => {
  sachet = await wire();
  token = sachet.authorization.slice('Authorization: Bearer '.length);
  hapi = await startReference(token);
  lines = [new Connection(sachet.port), new Connection(hapi.port)];
});
afterAll(async () => {
  for (const line of lines) line.close();
  await Promise.all([sachet.close(), hapi.close()]);
});

type Both = readonly [ours: HttpAnswer, theirs: HttpAnswer];
const isHead = ({ method }: ReferenceRequest): boolean => method === 'HEAD';
const sendOn = (line: Connection, request: ReferenceRequest) => line.send(bytesOf(request, token), isHead(request));

/** Both responses. If one does not come, both connections begin again. */
async function send(request: ReferenceRequest): Promise<Both> {
  const [ours, theirs] = await Promise.allSettled(lines.map((line) => sendOn(line, request)));
  if (ours?.status === 'fulfilled' && theirs?.status === 'fulfilled') return [ours.value, theirs.value];
  for (const line of lines) line.close();
  throw new Error(JSON.stringify([ours, theirs], (_, part: unknown) => (part instanceof Error ? part.message : part)));
}

/** Rules about records: the reference has no records, so it accepts what they reject. */
const ofRecords: ReadonlySet<string> = new Set<RuleId>([
  ...(['bad_credentials', 'bad_refresh_token', 'CAT-2', 'FUL-1', 'FUL-2'] as const),
  ...(['ORD-11', 'ORD-17', 'ORD-18', 'ORD-19', 'ORD-20', 'ORD-21', 'ORD-22', 'ORD-23'] as const),
]);

/** What is compared: the whole body of an error, for HEAD its length. */
const comparable = ({ status, headers, text }: HttpAnswer): unknown => ({
  status,
  type: headers['content-type'],
  challenge: headers['www-authenticate'],
  length: headers['content-length'],
  body: text === '' ? 'none' : JSON.parse(text),
});

/** The reference found the request valid. */
const isPassed = ({ headers }: HttpAnswer): boolean => headers[passedHeader] === 'yes';

/** What must be equal. */
function verdicts([ours, theirs]: Both, isHead: boolean): readonly [unknown, unknown] {
  if (!isPassed(theirs)) return [comparable(ours), comparable(theirs)];
  const rule = ours.headers['sandbox-rule'];
  const isAccepted = ours.status < 300 || rule?.split(', ').every((one) => ofRecords.has(one));
  return [
    { passed: isAccepted || comparable(ours), type: ours.headers['content-type'], hasBody: ours.text !== '' },
    { passed: true, type: theirs.headers['content-type'], hasBody: !isHead },
  ];
}

const summaryOf = ({ status, text }: HttpAnswer): Summary => [
  status,
  text === '' ? undefined : JSON.parse(text).message,
];

test('5,000 requests are answered as hapi answers them', { timeout: 600_000 }, async () => {
  const seen = { passed: 0, statuses: new Set<number>() };
  const property = fc.asyncProperty(referenceRequest, async (request) => {
    const [ours, theirs] = await send(request);
    expect(ours.status, 'Sachet closed the connection without a response').not.toBe(0);
    seen.statuses.add(ours.status);
    if (isPassed(theirs)) seen.passed += 1;
    const [is, shouldBe] = verdicts([ours, theirs], isHead(request));
    expect(is).toEqual(shouldBe);
  });
  await fc.assert(property, { numRuns: 5000 });
  expect([...seen.statuses].sort()).toEqual([200, 201, 400, 401, 404, 422]);
  expect(seen.passed).toBeGreaterThan(1000);
});

test.each(differences)('the named difference: $name', async ({ seen }) => {
  for (const [request, expected, ofHapi] of seen) {
    const ours = await sendOn(lines[0], request);
    expect(summaryOf(ours)).toEqual(expected);
    // The body of the contract; for HEAD only its headers.
    expect(ours.headers['content-type']).toBe('application/json; charset=utf-8');
    if (ours.text) expect(errorBody.parse(JSON.parse(ours.text)).statusCode).toBe(ours.status);
    if (ofHapi) expect(summaryOf(await sendOn(lines[1], request))).toEqual(ofHapi);
  }
});
