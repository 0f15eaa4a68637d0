// How deep and how large a body of the control API may be, in process and over a connection.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putBody, rawBody } from '../../support/put-body.ts';
import { pieces } from '../../support/streamed-bodies.ts';
import { type Wire, wire } from '../../support/wire.ts';

describe('the depth of a body', () => {
  const nested = (levels: number) =>
    `{"match":{"body":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}},"status":500}`;
  test('is at most 64', async () => {
    expect((await putBody('/sandboxes/stage/faults', rawBody(nested(64)))).status).toBe(201);
    expect((await putBody('/sandboxes/stage/faults', rawBody(nested(65)))).status).toBe(400);
  });

  test.each([5000, 500_000])('of %i is no trouble', async (levels) => {
    expect((await putBody('/sandboxes/stage/faults', rawBody(nested(levels)))).status).toBe(400);
  });
});

describe('the size of a body', () => {
  const limit = 67_108_864;
  const mebibyte = new Uint8Array(1_048_576).fill(32);
  /** So many bytes of blanks and an empty object, which are held once. */
  const streamOf = (bytes: number) => {
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
  const headers = { 'content-type': 'application/json' };

  test.each([
    ['that may bring a whole state, is at most 64 MiB', '/sandboxes', 'POST', limit, 201],
    ['of anything else, is at most 1 MiB', '/sandboxes/stage/clock', 'PATCH', mebibyte.length, 200],
  ] as const)('%s', async (_, path, method, most, expected) => {
    expect((await putBody(path, { raw: streamOf(most), headers }, method)).status).toBe(expected);
    const { status, body } = await putBody(path, { raw: streamOf(most + 1), headers }, method);
    expect([status, body.message]).toEqual([
      413,
      `The body is too large; this operation accepts at most ${most} bytes`,
    ]);
  });

  test('that is told beforehand is judged before a byte is read', async () => {
    const length = { 'content-length': String(limit + 1) };
    expect((await putBody('/sandboxes', { raw: pieces('{}'), headers: { ...headers, ...length } })).status).toBe(413);
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

  test('a length over 64 MiB is answered before the body comes', async () => {
    const { status, headers } = await server.send(
      'POST /_admin/sandboxes',
      [key, json, 'Content-Length: 67108865'],
      '{',
    );
    expect([status, headers['access-control-allow-origin']]).toEqual([413, undefined]);
  });

  test.each([[[]], [['Content-Length: 0']], [['Transfer-Encoding: chunked']]])(
    'no body needs no type, told by %j, as in process',
    async (lines) => {
      const body = lines.some((line) => line.includes('chunked')) ? '0\r\n\r\n' : '';
      expect((await server.send('POST /_admin/sandboxes', [key, ...lines], body)).status).toBe(201);
      expect((await server.send('PATCH /_admin/sandboxes/stage/clock', [key, ...lines], body)).status).toBe(200);
    },
  );

  test('a guard answers before the body comes', async () => {
    const lines = ['Authorization: Bearer wrong', json, 'Content-Length: 1000'];
    expect((await server.send('POST /_admin/sandboxes', lines, '{')).status).toBe(401);
  });
});
