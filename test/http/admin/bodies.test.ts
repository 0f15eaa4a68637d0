// Bodies of the control API: their media type, JSON, schema, depth and size. A rejected body changes nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlOperationList } from '../../../src/contract/control/operations.ts';
import { controlled, everything, filled, putBody, rawBody, told } from '../../support/control.ts';
import { pieces, type Wire, wire } from '../../support/wire.ts';

test('a body has the type application/json', async () => {
  for (const type of ['application/json', 'Application/JSON;charset=utf-8'])
    expect((await putBody('/sandboxes', rawBody('{}', type))).status).toBe(201);
  const other = [
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json'],
    ...['application/merge-patch+json', 'application/jsonp', 'application/json, text/plain'],
  ];
  for (const type of other) {
    const message = expect.stringContaining('Content-Type: application/json');
    expect(told(await putBody('/sandboxes', rawBody('{}', type))), type).toEqual([415, message]);
  }
});

test('an absent body is {}', async () => {
  expect((await putBody('/sandboxes', {})).status).toBe(201);
  expect((await putBody('/sandboxes/stage/clock', {}, 'PATCH')).status).toBe(200);
  expect((await putBody('/sandboxes/stage/snapshots', {})).status).toBe(422);
});

test('a body is valid JSON', async () => {
  const badJson =
    'The body must be valid JSON, nested at most 64 levels deep, with at most 5000000 values and no key __proto__';
  const bad = [
    ...['{', "{'name': 'a'}", '{"name": "a"} x', '\u{feff}{}', '{"name": "a",}', 'NaN'],
    ...['{"__proto__": {"name": "a"}}', '{"assumptions": {"__proto__": {"next_cursor": "meta"}}}'],
    `${'['.repeat(65)}${']'.repeat(65)}`,
  ];
  for (const text of bad) expect(told(await putBody('/sandboxes', rawBody(text))), text).toEqual([400, badJson]);
  expect(Object.hasOwn(Object.prototype, 'name')).toBe(false);
});

test('every operation rejects a body that is not an object', async () => {
  const server = controlled();
  const { versions } = await everything(server);
  const wrong: string[] = [];
  for (const { id, method, path, body: schema } of controlOperationList)
    for (const text of schema ? ['null', '[{}]', '"text"'] : []) {
      const url = filled(path.replace('/_admin', ''), { sandbox: 'stage' });
      const { status, body } = await server.admin(method, url, undefined, rawBody(text));
      if (status !== 422 || !/^found .+, expected .+/.test(body.details[0].message)) wrong.push(`${id} ${text}`);
    }
  expect(wrong).toEqual([]);
  expect((await everything(server)).versions).toEqual(versions);
});

test.each([
  ['POST', '/sandboxes', { nam: 'a' }, '', 'nam'],
  ['POST', '/sandboxes', { constructor: 1 }, '', 'constructor'],
  ['POST', '/sandboxes', { assumptions: { nope: 'x' } }, 'assumptions', 'nope'],
  ['POST', '/sandboxes/stage/clock/advance', { seconds: 1, minutes: 1 }, '', 'minutes'],
  ['PATCH', '/sandboxes/stage/switches', { server_error: { bursts: 1 } }, 'server_error', 'bursts'],
  ['POST', '/sandboxes/stage/faults', { status: 500, match: { verb: 'GET' } }, 'match', 'verb'],
] as const)('%s %s %j is rejected with the place of the unknown key', async (method, path, body, field, key) => {
  const refused = await putBody(path, { body }, method);
  const message = expect.stringMatching(new RegExp(`^found the unknown key "${key}", expected one of .+`));
  expect([refused.status, refused.body.details]).toEqual([422, [{ field, message }]]);
  expect(refused.body.message).toContain(refused.body.details[0].message);
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

test('a body is nested at most 64 levels deep', async () => {
  const status = async (levels: number) => {
    const body = `{"match":{"body":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}},"status":500}`;
    return (await putBody('/sandboxes/stage/faults', rawBody(body))).status;
  };
  expect([await status(64), await status(65), await status(500_000)]).toEqual([201, 400, 400]);
});

describe('the size of a body', () => {
  const limit = 67_108_864;
  const headers = { 'content-type': 'application/json' };
  /** So many bytes: blanks and an empty object. */
  const streamOf = (bytes: number) => {
    const mebibyte = new Uint8Array(1_048_576).fill(32);
    let left = bytes;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = mebibyte.subarray(0, Math.min(left - 2, mebibyte.length));
        left -= part.length;
        if (part.length > 0) return controller.enqueue(part);
        controller.enqueue(new TextEncoder().encode('{}'));
        controller.close();
      },
    });
  };

  const tooLarge = (most: number) => [413, `The body is too large; this operation accepts at most ${most} bytes`];

  test('is at most 1 MiB, or 64 MiB where it may contain a state', async () => {
    const patch = (bytes: number) => putBody('/sandboxes/stage/clock', { raw: streamOf(bytes), headers }, 'PATCH');
    expect((await patch(1_048_576)).status).toBe(200);
    expect(told(await patch(1_048_577))).toEqual(tooLarge(1_048_576));
    const large = await putBody('/sandboxes', { raw: streamOf(limit + 1), headers });
    expect(told(large)).toEqual(tooLarge(limit));
  });

  test('is judged by Content-Length before a byte is read', async () => {
    const status = async (length: number) => {
      const declared = { ...headers, 'content-length': String(length) };
      return (await putBody('/sandboxes', { raw: pieces('{}'), headers: declared })).status;
    };
    expect([await status(limit), await status(limit + 1)]).toEqual([201, 413]);
  });
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
