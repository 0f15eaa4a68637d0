// Faults that are none are refused with 422: the field is named, and nothing is changed.
import { describe, expect, test } from 'vitest';
import { putBody } from '../support/put-body.ts';

const path = '/sandboxes/stage/faults';

describe('refused, by the field', () => {
  test.each([
    [{}, ''],
    [{ match: {} }, ''],
    [{ id: 'x', status: 500, drop: 'mid_body' }, ''],
    [{ status: 501 }, 'status'],
    [{ status: '500' }, 'status'],
    [{ status: 200 }, 'status'],
    [{ rule: 'ORD-99' }, 'rule'],
    [{ rule: 'unknown_host' }, 'rule'],
    [{ rule: 'ORD-21', status: 422 }, ''],
    [{ rule: 'ORD-21', drop: 'mid_body' }, ''],
    [{ rule: 'ORD-21', match: { operation: 'products.list' } }, 'rule'],
    [{ status: 500, retry_after: 5 }, 'retry_after'],
    [{ status: 429, retry_after: -1 }, 'retry_after'],
    [{ drop: 'later' }, 'drop'],
    [{ delay: {} }, 'delay'],
    [{ delay: { min: 2, max: 1 } }, 'delay'],
    [{ delay: { min: 1, max: 2, milliseconds: 3 } }, 'delay'],
    [{ delay: { median: 5 } }, 'delay'],
    [{ delay: { median: 5, sigma: 6 } }, 'delay'],
    [{ delay: { milliseconds: 3_600_001 } }, 'delay'],
    [{ status: 500, times: 0 }, 'times'],
    [{ status: 500, after: 0 }, 'after'],
    [{ status: 500, after: 'success' }, 'after'],
    [{ drop: 'before_processing', after: 'success' }, 'after'],
    [{ drop: 'mid_body', after: 'success', delay: { milliseconds: 1 } }, 'after'],
    [{ drop: 'mid_body', after: 'failure' }, 'after'],
    [{ status: 500, for_seconds: 0.5 }, 'for_seconds'],
    [{ status: 500, probability: 2 }, 'probability'],
    [{ status: 500, match: { operation: 'orders.remove' } }, 'match.operation'],
    [{ status: 500, id: 'Mine' }, 'id'],
    [{ status: 500, id: 'latency' }, 'id'],
    [{ status: 500, hits: 3 }, ''],
  ])('%j: %s', async (body, field) => {
    const answer = await putBody(path, { body });
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.details[0].field).toMatch(new RegExp(`^${field}(?:\\.|$)`));
  });
});

test.each([
  ['/sandboxes/stage/faults', { status: 500, retry_after: 5 }, 'found 5, expected no retry_after unless status is 429'],
  ['/sandboxes/stage/faults', { delay: { min: 2, max: 1 } }, 'found 1, expected a max that is not less than min'],
  [
    '/sandboxes/stage/faults',
    { status: 501 },
    'found 501, expected one of 400, 401, 403, 404, 422, 429, 500, 502, 503, 504',
  ],
  ['/sandboxes/stage/requests/verify', { match: { path: 'x' } }, 'found "x", expected a path that begins with /'],
  [
    '/sandboxes/stage/faults',
    { drop: 5 },
    'found 5, expected one of "before_processing", "after_processing", "mid_body"',
  ],
  ['/sandboxes/stage/faults', { drop: 'mid_body', times: 1.5 }, 'found 1.5, expected a whole number'],
  ['/sandboxes', { ttl_seconds: 604_800_001 }, /^found 604800001, expected a number of at most \d+$/],
])('the value of the field itself is shown, with plain words for what is allowed: %s %j', async (at, body, words) => {
  const { details } = (await putBody(at, { body })).body;
  expect(details.map(({ message }: { message: string }) => message)).toContainEqual(expect.stringMatching(words));
});

test('a match of a body with more than 1,000 values', async () => {
  const refused = await putBody(path, {
    body: { status: 500, match: { body: Array.from({ length: 1000 }, () => 1) } },
  });
  expect([refused.status, refused.body.details[0]]).toEqual([
    422,
    {
      field: 'match.body',
      message: expect.stringMatching(/^found \[1,.*, expected at most 1000 values, including nested ones$/),
    },
  ]);
  const most = { status: 500, match: { body: Array.from({ length: 999 }, () => 1) } };
  expect((await putBody(path, { body: most })).status).toBe(201);
});
