// Bodies of the control API: JSON, judged by the operation's own schema. Of a refused one nothing is done.
import { describe, expect, test } from 'vitest';
import { controlOperationList } from '../../../src/contract/control/operations.ts';
import { told } from '../../support/control.ts';
import { putBody, rawBody } from '../../support/put-body.ts';

describe('the type of a body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset=utf-8',
  ])('may be %s', async (type) => {
    expect((await putBody('/sandboxes', rawBody('{}', type))).status).toBe(201);
  });

  test.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/merge-patch+json',
    'application/jsonp',
    'application/json, text/plain',
    'text/json',
  ])('may not be %s', async (type) => {
    const [status, message] = told(await putBody('/sandboxes', rawBody('{}', type)));
    expect(status).toBe(415);
    expect(message).toContain('Content-Type: application/json');
  });

  test('is none where there is no body, and then the body is {}', async () => {
    expect((await putBody('/sandboxes', {})).status).toBe(201);
    expect((await putBody('/sandboxes/stage/clock', {}, 'PATCH')).status).toBe(200);
    expect((await putBody('/sandboxes/stage/snapshots', {})).status).toBe(422);
  });
});

const badJson =
  'The body must be valid JSON, nested at most 64 levels deep, with at most 5000000 values and no key __proto__';

test('a body that is nested too deep gets an error with the limit', async () => {
  const text = '['.repeat(65) + ']'.repeat(65);
  expect(told(await putBody('/sandboxes', rawBody(text)))).toEqual([400, badJson]);
});

test.each(['{', '{"name":', "{'name': 'a'}", '{"name": "a"} x', '\u{feff}{}', 'undefined', '{"name": "a",}', 'NaN'])(
  '%j is no JSON',
  async (text) => {
    expect(told(await putBody('/sandboxes', rawBody(text)))).toEqual([400, badJson]);
  },
);

test.each(['{"__proto__": {"name": "a"}}', '{"assumptions": {"__proto__": {"next_cursor": "meta"}}}'])(
  '%s is refused as it stands',
  async (text) => {
    expect((await putBody('/sandboxes', rawBody(text))).status).toBe(400);
    expect(Object.hasOwn(Object.prototype, 'name')).toBe(false);
  },
);

const withBody = controlOperationList.filter(({ body }) => body);
const pathOf = ({ path }: { path: string }) =>
  path
    .replace('/_admin', '')
    .replace('{sandbox}', 'stage')
    .replaceAll(/\{\w+\}/g, 'x');

describe.each(['null', '[]', '[{}]', '"text"', '5', 'true'])('the body %s', (text) => {
  test.each(withBody.map((operation) => [operation.id, operation] as const))(
    'is refused by %s',
    async (_, operation) => {
      const { status, body } = await putBody(pathOf(operation), rawBody(text), operation.method);
      expect(status).toBe(422);
      expect(body.details[0].message).toMatch(/^found .+, expected .+/);
    },
  );
});

describe('an unknown key', () => {
  test.each([
    ['POST', '/sandboxes', { nam: 'a' }, '', 'nam'],
    ['POST', '/sandboxes', { constructor: 1 }, '', 'constructor'],
    ['POST', '/sandboxes', { assumptions: { nope: 'x' } }, 'assumptions', 'nope'],
    ['POST', '/sandboxes/stage/snapshots', { name: 'a', at: 1 }, '', 'at'],
    ['PATCH', '/sandboxes/stage/clock', { time: 1 }, '', 'time'],
    ['POST', '/sandboxes/stage/clock/advance', { seconds: 1, minutes: 1 }, '', 'minutes'],
    ['PATCH', '/sandboxes/stage/switches', { server_errors: {} }, '', 'server_errors'],
    ['PATCH', '/sandboxes/stage/switches', { server_error: { bursts: 1 } }, 'server_error', 'bursts'],
    ['POST', '/sandboxes/stage/faults', { status: 500, match: { verb: 'GET' } }, 'match', 'verb'],
    ['PATCH', '/sandboxes/stage/assumptions', { nope: 'x' }, '', 'nope'],
    ['POST', '/sandboxes/stage/requests/verify', { match: {}, at_least: 1 }, '', 'at_least'],
  ] as const)('of %s %s %j is told with its place and what there is', async (method, path, body, field, key) => {
    const { status, body: refusal } = await putBody(path, { body }, method);
    expect([status, refusal.details]).toEqual([422, [{ field, message: expect.stringContaining(`"${key}"`) }]]);
    expect(refusal.details[0].message).toMatch(/^found the unknown key ".+", expected one of .+/);
    expect(refusal.message).toContain(refusal.details[0].message);
  });
});

test('every fault of a body is told, each with its field', async () => {
  const body = { name: 'A', ttl_seconds: 0, clock: 'noon', assumptions: { next_cursor: 'x' } };
  const { body: refusal } = await putBody('/sandboxes', { body });
  const fields = refusal.details.map(({ field }: { field: string }) => field);
  expect(fields.sort()).toEqual(['assumptions.next_cursor', 'clock', 'name', 'ttl_seconds']);
});

test('a body of a hundred thousand faults is refused in few words', async () => {
  const body = { fixtures: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`x${n}`, []])) };
  const { status, body: refusal, text } = await putBody('/sandboxes', { body });
  expect([status, refusal.details.length <= 50, text.length < 50_000]).toEqual([422, true, true]);
});
