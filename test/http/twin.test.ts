// Sachet and its twin on hapi get the same bytes and give the same answers, but for the differences that are named.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Difference, differences } from '../support/twin/differences.ts';
import { type Answer, Line } from '../support/twin/line.ts';
import { bytesOf, type TwinRequest, twinRequest } from '../support/twin/requests.ts';
import { type Twin, twin } from '../support/twin/server.ts';
import { isPassed, toldBy, verdicts } from '../support/twin/verdict.ts';
import { type Wire, wire } from '../support/wire.ts';

let sachet: Wire;
let hapi: Twin;
let token: string;
let lines: readonly [Line, Line];
beforeAll(async () => {
  sachet = await wire();
  token = sachet.authorization.slice('Authorization: Bearer '.length);
  hapi = await twin(token);
  lines = [new Line(sachet.port), new Line(hapi.port)];
});
afterAll(async () => {
  for (const line of lines) line.close();
  await Promise.all([sachet.close(), hapi.close()]);
});

/** Both answers to a request, Sachet's first. Where one does not come, both connections begin anew. */
async function asked(request: TwinRequest): Promise<readonly [Answer, Answer]> {
  const [bytes, isHead] = [bytesOf(request, token), request.method === 'HEAD'];
  const [ours, theirs] = await Promise.allSettled([lines[0].send(bytes, isHead), lines[1].send(bytes, isHead)]);
  if (ours.status === 'fulfilled' && theirs.status === 'fulfilled') return [ours.value, theirs.value];
  for (const line of lines) line.close();
  throw new Error(JSON.stringify([ours, theirs], (_, part: unknown) => (part instanceof Error ? part.message : part)));
}

const isNamed = (request: TwinRequest, ours: Answer, theirs: Answer): boolean =>
  differences.some(({ applies, told }) => applies(request) && told(toldBy(ours), toldBy(theirs)));

test('5,000 requests are answered as hapi answers them', async () => {
  const seen = { passed: 0, statuses: new Set<number>() };
  const property = fc.asyncProperty(twinRequest, async (request) => {
    const [ours, theirs] = await asked(request);
    expect(ours.status, 'Sachet closed the connection without an answer').not.toBe(0);
    seen.statuses.add(ours.status);
    if (isPassed(theirs)) seen.passed += 1;
    const [is, shouldBe] = verdicts(ours, theirs, request.method === 'HEAD');
    if (isDeepStrictEqual(is, shouldBe) || isNamed(request, ours, theirs)) return;
    expect(is).toEqual(shouldBe);
  });
  await fc.assert(property, { numRuns: 5000 });
  expect([...seen.statuses].sort()).toEqual([200, 201, 400, 401, 404, 422]);
  expect(seen.passed).toBeGreaterThan(1000);
});

describe('the named differences', () => {
  const rows = differences.flatMap((named) =>
    named.seen.map((row): [string, Difference, typeof row] => [named.name, named, row]),
  );

  test.each(rows)('%s', async (_, named, [request, ours, theirs]) => {
    const answers = await asked(request);
    expect(answers.map(toldBy)).toEqual([ours, theirs]);
    expect([named.applies(request), named.told(ours, theirs)]).toEqual([true, true]);
  });
});
