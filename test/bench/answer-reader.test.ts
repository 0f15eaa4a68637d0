// The load generator's reader of answers: whole, in pieces, by length and by chunks.
import { describe, expect, test } from 'vitest';
import { benchModule } from './support.ts';

interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
  readonly bodyStart: number;
}
interface Reader {
  createAnswerReader(onAnswer: (answer: Answer) => void): (chunk: Buffer) => void;
}

const { createAnswerReader } = await benchModule<Reader>('load/answer-reader.mjs');
const byLength = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const byChunks =
  'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1d\r\n0\r\n\r\n is no end of the chunks\r\n0\r\n\r\n';
const withoutBody = 'HTTP/1.1 204 No Content\r\n\r\n';

function statusesOf(chunks: readonly Buffer[]): number[] {
  const statuses: number[] = [];
  const read = createAnswerReader(({ status }) => statuses.push(status));
  for (const chunk of chunks) read(chunk);
  return statuses;
}

describe.each([
  ['a length', byLength, 200],
  ['chunks', byChunks, 201],
  ['no body', withoutBody, 204],
])('an answer with %s', (_, text, status) => {
  const bytes = Buffer.from(text);

  test('is read whole', () => {
    expect(statusesOf([bytes, bytes])).toEqual([status, status]);
  });

  test('is read in two pieces, wherever it is cut', () => {
    for (let cut = 1; cut < bytes.length; cut += 1) {
      expect(statusesOf([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([status]);
    }
  });
});

test.each([
  ['longer than its length', `${byLength}!`],
  ['without a length', 'HTTP/1.1 200 OK\r\n\r\nhello'],
])('an answer %s is an error', (_, text) => {
  expect(() => statusesOf([Buffer.from(text)])).toThrow('answer');
});
