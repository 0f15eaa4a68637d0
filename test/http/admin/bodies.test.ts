// Bodies of the control API: their media type, JSON, schema, depth and size. A rejected body changes nothing.

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filled } from '../../../src/contract/addresses.ts';
import { controlOperationList } from '../../../src/contract/control/operations.ts';
import { controlled, everything, failureOf } from '../../support/control.ts';
import type { CallInit } from '../../support/sachet.ts';
import { pieces, type Wire, wire } from '../../support/wire.ts';

/** Sends a body to a new server. A rejected body changes nothing. */
async function putBody(path: string, init: CallInit, method = 'POST') {
  const server = controlled();
  const before = await everything(server);
  const answer = await server.admin(method, path, undefined, init);
  if (answer.status >= 400) {
    const { sandboxes: _, ...after } = await everything(server);
    expect(after).toEqual({ versions: before.versions, journals: before.journals });
  }
  return answer;
}

const rawBody = (text: string, type = 'application/json'): CallInit => ({
  raw: text,
  headers: { 'content-type': type },
});

test('a body has the type application/json', async () => {
  for (const type of ['application/json', 'Application/JSON;charset=utf-8'])
    expect((await putBody('/sandboxes', rawBody('{}', type))).status).toBe(201);
  const message = expect.stringContaining('Content-Type: application/json');
  for (const type of ['text/plain', 'text/json', 'application/merge-patch+json', 'application/json, text/plain'])
    expect(failureOf(await putBody('/sandboxes', rawBody('{}', type))), type).toEqual([415, message]);
});

test('a body is valid JSON, nested at most 64 levels deep', async () => {
  const nested = (levels: number) =>
    `{"match":{"body":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}},"status":500}`;
  const message = 'valid JSON, nested at most 64 levels deep, with at most 5000000 values and no key __proto__';
  const rejection = [400, `The body must be ${message}`];
  const bad = ['{', '{"name": "a"} x', '\u{feff}{}', '{"assumptions": {"__proto__": {"next_cursor": "meta"}}}'];
  for (const text of [...bad, nested(65), nested(500_000)])
    expect(failureOf(await putBody('/sandboxes/stage/faults', rawBody(text))), text.slice(0, 50)).toEqual(rejection);
  expect((await putBody('/sandboxes/stage/faults', rawBody(nested(64)))).status).toBe(201);
  expect(Object.hasOwn(Object.prototype, 'name')).toBe(false);
});

test('every operation rejects a body that is not an object', async () => {
  const server = controlled();
  const { versions } = await everything(server);
  const wrong: string[] = [];
  for (const { id, method, path, body: schema } of controlOperationList)
    for (const text of schema ? ['null', '[{}]', '"text"'] : []) {
      const url = filled(path.replace('/_admin', ''), (name) => (name === 'sandbox' ? 'stage' : 'x'));
      const { status, body } = await server.admin(method, url, undefined, rawBody(text));
      if (status !== 422 || !/^found .+, expected .+/.test(body.details[0].message)) wrong.push(`${id} ${text}`);
    }
  expect(wrong).toEqual([]);
  expect((await everything(server)).versions).toEqual(versions);
});

test.each([
  ['POST', '/sandboxes', { constructor: 1 }, '', 'constructor'],
  ['POST', '/sandboxes/stage/clock/advance', { seconds: 1, minutes: 1 }, '', 'minutes'],
  ['POST', '/sandboxes/stage/faults', { status: 500, match: { verb: 'GET' } }, 'match', 'verb'],
] as const)('%s %s %j is rejected with the place of the unknown key', async (method, path, body, field, key) => {
  const { status, body: rejected } = await putBody(path, { body }, method);
  const message = expect.stringMatching(new RegExp(`^found the unknown key "${key}", expected one of .+`));
  expect([status, rejected.details]).toEqual([422, [{ field, message }]]);
  expect(rejected.message).toContain(rejected.details[0].message);
});

test('every error of a body is reported with its field, up to fifty', async () => {
  const body = { name: 'A', ttl_seconds: 0, clock: 'noon', assumptions: { next_cursor: 'x' } };
  const { details } = (await putBody('/sandboxes', { body })).body;
  const fields = details.map(({ field }: { field: string }) => field);
  expect(fields.sort()).toEqual(['assumptions.next_cursor', 'clock', 'name', 'ttl_seconds']);
  const fixtures = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`x${n}`, []]));
  const many = await putBody('/sandboxes', { body: { fixtures } });
  expect([many.status, many.body.details.length <= 50, many.text.length < 50_000]).toEqual([422, true, true]);
});

const tooLarge = (most: number) => [413, `The body is too large; this operation accepts at most ${most} bytes`];
const headers = { 'content-type': 'application/json' };

test('a body has at most 1 MiB, or 64 MiB where it may contain a state', async () => {
  const blanks = ' '.repeat(65_536);
  const streamOf = (bytes: number) =>
    pieces(
      '{}',
      ...Array<string>(Math.floor((bytes - 2) / 65_536)).fill(blanks),
      blanks.slice(0, (bytes - 2) % 65_536),
    );
  const patch = (bytes: number) => putBody('/sandboxes/stage/clock', { raw: streamOf(bytes), headers }, 'PATCH');
  expect((await patch(1_048_576)).status).toBe(200);
  expect(failureOf(await patch(1_048_577))).toEqual(tooLarge(1_048_576));
  expect(failureOf(await putBody('/sandboxes', { raw: streamOf(67_108_865), headers }))).toEqual(tooLarge(67_108_864));
});

test('a compressed body is inflated, to the same size at most', async () => {
  const patch = (raw: BodyInit) =>
    putBody('/sandboxes/stage/clock', { raw, headers: { ...headers, 'content-encoding': 'gzip' } }, 'PATCH');
  expect((await patch(gzipSync('{"frozen": false}'))).body.frozen).toBe(false);
  expect(failureOf(await patch(gzipSync(`{}${' '.repeat(1_048_575)}`)))).toEqual(tooLarge(1_048_576));
  expect(failureOf(await patch('{}'))).toEqual([400, 'Invalid compressed payload']);
});

describe('over a connection', () => {
  const adminKey = 'the-key-of-the-wire';
  const key = `Authorization: Bearer ${adminKey}`;
  const json = 'Content-Type: application/json';
  let server: Wire;
  beforeAll(async () => {
    server = await wire({ adminKey });
  });
  afterAll(() => server.close());

  test('a length above 64 MiB and a wrong key are rejected before the body comes', async () => {
    const post = (lines: readonly string[]) => server.send('POST /_admin/sandboxes', lines, '{');
    const { status, headers } = await post([key, json, 'Content-Length: 67108865']);
    expect([status, headers['access-control-allow-origin']]).toEqual([413, undefined]);
    expect((await post(['Authorization: Bearer wrong', json, 'Content-Length: 1000'])).status).toBe(401);
  });

  test('an absent or empty body needs no type', async () => {
    for (const [lines, body] of [
      [[], ''],
      [['Content-Length: 0'], ''],
      [['Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ] as const) {
      expect((await server.send('POST /_admin/sandboxes', [key, ...lines], body)).status).toBe(201);
      expect((await server.send('PATCH /_admin/sandboxes/stage/clock', [key, ...lines], body)).status).toBe(200);
    }
  });
});
