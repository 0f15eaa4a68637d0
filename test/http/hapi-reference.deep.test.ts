// Sachet and the hapi reference get the same bytes and give the same responses, except for the named differences.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Connection, type HttpAnswer, type Wire, wire } from '../support/wire.ts';
import {
  type Difference,
  differences,
  type Expected,
  good,
  isPassed,
  isRefusal,
  isSummary,
  notSent,
  summaryOf,
  verdicts,
} from './hapi/differences.ts';
import { bytesOf, type ReferenceRequest, referenceRequest } from './hapi/requests.ts';
import { type HapiServer, startReference } from './hapi/server.ts';

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

/** Whether Sachet gave this response, in the body of the contract. */
async function isOurs(answer: HttpAnswer, expected: Expected): Promise<boolean> {
  if (isSummary(expected)) return isDeepStrictEqual(summaryOf(answer), expected) && isRefusal(answer);
  const [is, shouldBe] = verdicts(answer, await sendOn(lines[1], expected), isHead(expected));
  return isDeepStrictEqual(is, shouldBe);
}
const isTheirs = async (answer: HttpAnswer, expected: Expected): Promise<boolean> =>
  isDeepStrictEqual(summaryOf(answer), isSummary(expected) ? expected : summaryOf(await sendOn(lines[1], expected)));

const differsAs = async (named: Difference, request: ReferenceRequest, [ours, theirs]: Both): Promise<boolean> =>
  named.applies(request) &&
  (await isOurs(ours, named.ours(request))) &&
  ((named.orUnanswered && theirs.status === 0) || (await isTheirs(theirs, named.theirs(request))));

async function isNamed(request: ReferenceRequest, answers: Both): Promise<boolean> {
  for (const named of differences) if (await differsAs(named, request, answers)) return true;
  return false;
}

test('5,000 requests are answered as hapi answers them', { timeout: 600_000 }, async () => {
  const seen = { passed: 0, statuses: new Set<number>() };
  const property = fc.asyncProperty(referenceRequest, async (request) => {
    const [ours, theirs] = await send(request);
    expect(ours.status, 'Sachet closed the connection without a response').not.toBe(0);
    seen.statuses.add(ours.status);
    if (isPassed(theirs)) seen.passed += 1;
    const [is, shouldBe] = verdicts(ours, theirs, isHead(request));
    if (isDeepStrictEqual(is, shouldBe) || (await isNamed(request, [ours, theirs]))) return;
    expect(is).toEqual(shouldBe);
  });
  await fc.assert(property, { numRuns: 5000 });
  expect([...seen.statuses].sort()).toEqual([200, 201, 400, 401, 404, 422]);
  expect(seen.passed).toBeGreaterThan(1000);
});

describe('the named differences', () => {
  test.each(differences)('$name', async (named) => {
    for (const [request, ours, theirs] of named.seen) {
      const answers = await send(request);
      expect(answers.map(summaryOf)).toEqual([ours, theirs]);
      expect(await differsAs(named, request, answers)).toBe(true);
    }
  });

  test('are no others', async () => {
    const [request = good] = differences[0]?.seen[0] ?? [];
    const [ours, theirs] = await send(request);
    expect(await isNamed(request, [ours, theirs])).toBe(true);
    expect(await isNamed(request, [{ ...ours, status: 422 }, theirs])).toBe(false);
    expect(await isNamed(request, [ours, { ...theirs, status: 404 }])).toBe(false);
  });

  test('include requests that would end hapi', async () => {
    for (const [request, ours] of notSent.seen) {
      expect(notSent.applies(request)).toBe(true);
      expect(summaryOf(await sendOn(lines[0], request))).toEqual(ours);
    }
  });
});
