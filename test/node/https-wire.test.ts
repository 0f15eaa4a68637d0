// The limits and refusals of the port hold under TLS, too; and what is no TLS is refused.
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { listen, timeouts } from '../../src/node/listen.ts';
import { selfSigned } from '../../src/node/self-signed.ts';
import { answersIn } from '../support/http-answers.ts';
import { inMachineTime } from '../support/machine-time.ts';
import { fixtures } from '../support/sachet.ts';
import { testEngine } from '../support/test-engine.ts';
import { collected, exchanged } from '../support/wire.ts';

const { ca, ...tls } = await selfSigned(['localhost']);

async function served(limits: Partial<typeof timeouts> = {}) {
  const address = { port: 0, host: '127.0.0.1', tls };
  const { url, close } = await listen(testEngine({ fixtures }), address, { ...timeouts, ...limits });
  onTestFinished(close);
  const port = Number(new URL(url).port);
  /** The statuses of the answers to these bytes, until the server closes the connection. */
  async function statuses(bytes: string) {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca });
    const received = collected(socket);
    await once(socket, 'secureConnect');
    socket.write(bytes);
    return answersIn(await received, false).map(({ status }) => status);
  }
  return { port, close, statuses };
}

const get = (...headers: readonly string[]): string => ['GET /v2/products HTTP/1.1', ...headers, '', ''].join('\r\n');

test.each([
  ['a request', get('Host: localhost', 'Connection: close'), [401]],
  ['a request without a host', get(), [400]],
  ['two requests at once', get('Host: localhost') + get('Host: localhost', 'Connection: close'), [401, 401]],
  ['a bad header after a request', get('Host: localhost') + get('Host: localhost', ': b'), [401, 400]],
  ['bytes that are no request', 'SSH-2.0-x\r\n', [400]],
  ['headers of 16 KiB', get('Host: localhost', `X-A: ${'a'.repeat(16_384)}`), [400]],
])('%s', async (_, bytes, expected) => {
  expect(await (await served()).statuses(bytes)).toEqual(expected);
});

// Later versions of OpenSSL do not recognize HTTP; then the connection is closed.
test.skipIf(Number.parseFloat(process.versions.openssl) >= 3.5)(
  'plain HTTP gets an answer that says what to do',
  async () => {
    const { port } = await served();
    const [answer] = await exchanged(port, [
      `POST /v2/orders HTTP/1.1\r\nContent-Length: 100000\r\n\r\n${'a'.repeat(100_000)}`,
    ]);
    const message = 'This port speaks HTTPS; start the URL with https://';
    expect(answer?.body).toEqual({ statusCode: 400, error: 'Bad Request', message });
  },
);

test('bytes that are neither TLS nor HTTP close the connection', async () => {
  expect(await exchanged((await served()).port, ['SSH-2.0-x\r\n'])).toEqual([]);
});

test('a handshake may take as long as the headers of a request', inMachineTime, async () => {
  const { port } = await served({ headersTimeout: 300 });
  const began = performance.now();
  expect(await exchanged(port, [])).toEqual([]);
  expect(performance.now() - began).toBeGreaterThan(250);
});

test('late headers are refused', inMachineTime, async () => {
  const { statuses } = await served({ headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 });
  expect(await statuses('GET / HTTP/1.1\r\n')).toEqual([400]);
});

test('neither an open handshake nor an idle connection keeps the server', async () => {
  const { port, close } = await served();
  const raw = connectPlain(port, '127.0.0.1');
  const idle = connect({ port, host: '127.0.0.1', servername: 'localhost', ca });
  const ends = [raw, idle].map((socket) =>
    once(
      socket.on('error', () => undefined),
      'close',
    ),
  );
  await Promise.all([once(raw, 'connect'), once(idle, 'secureConnect')]);
  await close();
  await Promise.all(ends);
});
