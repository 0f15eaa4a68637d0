// A Sachet on a real port of this process, spoken to by bytes on a socket.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { EngineOptions } from '../../src/engine.ts';
import { listen, type Timeouts, timeouts } from '../../src/node/listen.ts';
import { answersIn, type HttpAnswer } from './http-answers.ts';
import { publishedApp } from './published.ts';
import { fixtures, noon, passwordOf } from './sachet.ts';
import { testEngine } from './test-engine.ts';

export interface WireAnswer extends HttpAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as a client does, field by field
  readonly body: any;
}

export interface Wire {
  readonly url: string;
  readonly port: number;
  /** `Authorization: Bearer …` of the demo user, as a header line. */
  readonly authorization: string;
  /** Sends these bytes on a connection of their own and gives every answer that came before it was closed. */
  exchange(...parts: readonly (string | Uint8Array)[]): Promise<WireAnswer[]>;
  /** A request that closes the connection behind it; header lines without line ends. */
  send(line: string, headers?: readonly string[], body?: string | Uint8Array): Promise<WireAnswer>;
  close(): Promise<void>;
}

export async function wire(options: Partial<EngineOptions> = {}, limits: Partial<Timeouts> = {}): Promise<Wire> {
  const made = { fixtures, clock: noon, randomSeed: 'test', ...options };
  const engine = testEngine(made);
  const { url, close } = await listen(
    { ...engine, app: publishedApp(engine.app, made) },
    { port: 0, host: '127.0.0.1' },
    { ...timeouts, ...limits },
  );
  const port = Number(new URL(url).port);
  const login = await fetch(`${url}/v2/authentication/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ username: 'demo', password: passwordOf('demo') }),
  });
  const { access_token } = (await login.json()) as { access_token: string };
  const exchange = (...parts: readonly (string | Uint8Array)[]) => exchanged(port, parts);
  return {
    url,
    port,
    authorization: `Authorization: Bearer ${access_token}`,
    exchange,
    async send(line, headers = [], body = '') {
      const head = [`${line} HTTP/1.1`, `Host: localhost:${port}`, 'Connection: close', ...headers, '', ''];
      const [answer, ...more] = await exchanged(port, [head.join('\r\n'), body], line.startsWith('HEAD '));
      if (!answer || more.length > 0)
        throw new Error(`one request was answered ${more.length + (answer ? 1 : 0)} times`);
      return answer;
    },
    close,
  };
}

/** As `exchange` of a wire, to any port. @param isHead whether the answers are to HEAD */
export async function exchanged(
  port: number,
  parts: readonly (string | Uint8Array)[],
  isHead = false,
): Promise<WireAnswer[]> {
  const socket = connect(port, '127.0.0.1');
  const received = collected(socket);
  await once(socket, 'connect');
  for (const part of parts) if (!socket.destroyed) socket.write(part);
  return answersIn(await received, isHead).map((answer) => ({ ...answer, body: bodyOf(answer) }));
}

/** All bytes until the other side closes; what came before a reset counts. */
export async function collected(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks);
}

const bodyOf = ({ headers, text }: HttpAnswer): unknown =>
  headers['content-type']?.startsWith('application/json') && text !== '' ? JSON.parse(text) : undefined;
