// Every text of the samples, sent as a body over a connection: what is JSON is taken as what it says, what is none is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlClient, controlClient } from '../../src/client/control-client.ts';
import { Line } from '../support/line.ts';
import { type Wire, wire } from '../support/wire.ts';
import { type Entry, samples, verdictOf } from './json.ts';

const adminKey = 'the-key-of-the-samples';
let server: Wire;
let line: Line;
let control: ControlClient;
beforeAll(async () => {
  server = await wire({ adminKey });
  line = new Line(server.port);
  control = controlClient({ url: server.url, adminKey, fetch });
});
afterAll(async () => {
  line.close();
  await server.close();
});

function sent({ bytes }: Entry) {
  const body = Buffer.from(bytes);
  const head = [
    'POST /v2/orders HTTP/1.1',
    'Host: localhost',
    server.authorization,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    '',
  ];
  return line.send(Buffer.concat([Buffer.from(head.join('\r\n')), body]), false);
}

/** The journal hides what holds a NUL, as it hides whatever could hide a secret. */
const isShown = ({ bytes, value }: Entry): boolean =>
  value !== undefined && bytes.length > 0 && !JSON.stringify(value).includes(String.raw`\u0000`);

test('has entries enough of both kinds, each once', () => {
  expect(new Set(samples.map(({ name }) => name)).size).toBe(samples.length);
  for (const verdict of ['taken', 'refused'])
    expect(samples.filter((entry) => entry.verdict === verdict).length).toBeGreaterThan(120);
});

describe.each(['taken', 'refused'] as const)('is %s', (verdict) => {
  test.each(samples.filter((entry) => entry.verdict === verdict))('$name', async (entry) => {
    const answer = await sent(entry);
    expect(verdictOf(answer), `${answer.status} ${answer.text}`).toBe(verdict);
    if (verdict === 'refused') return;
    if (!isShown(entry)) return;
    const shown = await control.sandbox('stage').requests.get(answer.headers['sandbox-request-id'] ?? '');
    expect(shown.request.body).toEqual(entry.value);
  });
});
