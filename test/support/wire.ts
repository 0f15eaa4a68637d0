// A Sachet on a real port of this process, spoken to by bytes on a socket.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createEngine } from '../../src/engine.ts';
import type { EngineOptions } from '../../src/engine-options.ts';
import { listen } from '../../src/node/listen.ts';
import { type Patience, patience } from '../../src/node/patience.ts';
import { createHarshStore } from './harsh-store.ts';
import { publishedFetch } from './published.ts';
import { fixtures, noon, passwordOf } from './sachet.ts';

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
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

const store = () => (process.env.TEST_STORE === 'harsh' ? { store: createHarshStore() } : {});

export async function wire(options: Partial<EngineOptions> = {}, limits: Partial<Patience> = {}): Promise<Wire> {
  const made = { fixtures, clock: noon, randomSeed: 'test', ...store(), ...options };
  const engine = createEngine(made);
  const answer = publishedFetch(async (input) => engine.answer(input as Request), made);
  const { url, close } = await listen(
    { ...engine, answer },
    { port: 0, host: '127.0.0.1' },
    { ...patience, ...limits },
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
      const [answer, ...more] = await exchange(head.join('\r\n'), body);
      if (!answer || more.length > 0)
        throw new Error(`one request was answered ${more.length + (answer ? 1 : 0)} times`);
      return answer;
    },
    close,
  };
}

export async function exchanged(port: number, parts: readonly (string | Uint8Array)[]): Promise<WireAnswer[]> {
  const socket = connect(port, '127.0.0.1');
  const received = collected(socket);
  await once(socket, 'connect');
  for (const part of parts) if (!socket.destroyed) socket.write(part);
  return answersIn(await received);
}

/** All bytes until the other side closes; what came before a reset counts. */
async function collected(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks);
}

function answersIn(bytes: Buffer): WireAnswer[] {
  const answers: WireAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`no whole answer in ${JSON.stringify(rest.toString().slice(0, 200))}`);
    const [line = '', ...lines] = rest.subarray(0, end).toString().split('\r\n');
    const headers = Object.fromEntries(lines.map((text) => pair(text)));
    const { content, length } = contentOf(rest.subarray(end + 4), headers);
    const text = content.toString();
    const json = headers['content-type']?.startsWith('application/json') && text !== '';
    const status = Number(line.split(' ')[1]);
    if (status !== 100) answers.push({ status, headers, text, body: json ? JSON.parse(text) : undefined });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}

function pair(line: string): [string, string] {
  const at = line.indexOf(':');
  return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
}

/** The body after a head, and how many bytes it took. */
function contentOf(bytes: Buffer, headers: Readonly<Record<string, string>>): { content: Buffer; length: number } {
  if (headers['transfer-encoding'] !== 'chunked') {
    const length = Math.min(Number(headers['content-length'] ?? 0), bytes.length);
    return { content: bytes.subarray(0, length), length };
  }
  const chunks: Buffer[] = [];
  let at = 0;
  for (let size = -1; size !== 0 && at < bytes.length; ) {
    const start = bytes.indexOf('\r\n', at) + 2;
    size = Number.parseInt(bytes.subarray(at, start).toString(), 16);
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
  return { content: Buffer.concat(chunks), length: at };
}

/** A body in chunks of `Transfer-Encoding: chunked`, its end included. */
export function chunked(...parts: readonly string[]): string {
  const chunks = parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`);
  return `${chunks.join('')}0\r\n\r\n`;
}
