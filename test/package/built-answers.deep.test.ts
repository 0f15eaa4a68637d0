// The built command answers as the source does, byte by byte of what is sent: a bundler may leave out what only seems to have no effect.
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { logIn, serving } from '../support/command.ts';
import { bytesOf, referenceRequest } from '../support/hapi/requests.ts';
import type { HttpAnswer } from '../support/http-answers.ts';
import { Line } from '../support/line.ts';
import { noon } from '../support/sachet.ts';
import { wire } from '../support/wire.ts';

const told = ({ status, headers, text }: HttpAnswer) => ({
  status,
  rule: headers['sandbox-rule'],
  error: status < 400 ? undefined : text,
});

test('generated requests have the same answer', async () => {
  const source = await wire();
  const { ready } = await serving(['--port', '0', '--clock', noon, '--random-seed', 'test']);
  const tokens = [source.authorization.slice('Authorization: Bearer '.length), await logIn(ready)];
  const lines = [new Line(source.port), new Line(Number(new URL(ready.url).port))];
  onTestFinished(async () => {
    for (const line of lines) line.close();
    await source.close();
  });
  const seen = new Set<string | undefined>();
  const property = fc.asyncProperty(referenceRequest, async (request) => {
    const asked = lines.map((line, at) => line.send(bytesOf(request, tokens[at] ?? ''), request.method === 'HEAD'));
    const [ofSource, built] = (await Promise.all(asked)).map(told);
    seen.add(built?.rule);
    expect(built).toEqual(ofSource);
  });
  await fc.assert(property, { numRuns: 1000 });
  expect([...seen]).toEqual(
    expect.arrayContaining(['malformed_path', 'malformed_path_id', 'malformed_body', 'HTTP-1']),
  );
});
