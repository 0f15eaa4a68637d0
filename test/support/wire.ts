// A Sachet on a real port of this process, spoken to by bytes on a socket.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ReadableStream as WebStream } from 'node:stream/web';
import type { EngineOptions } from '../../src/engine.ts';
import { listen, type Timeouts, timeouts } from '../../src/node/listen.ts';
import { logIn } from './command.ts';
import { publishedApp } from './openapi-document.ts';
import { fixtures, noon, passwordOf, testEngine } from './sachet.ts';

type Part = string | Uint8Array;

export interface WireAnswer extends HttpAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as a client does, field by field
  readonly body: any;
}

export async function wire(options: Partial<EngineOptions> = {}, limits: Partial<Timeouts> = {}) {
  const made = { fixtures, clock: noon, randomSeed: 'test', ...options };
  const engine = testEngine(made);
  const { url, close } = await listen(
    { ...engine, app: publishedApp(engine.app, made) },
    { port: 0, host: '127.0.0.1' },
    { ...timeouts, ...limits },
  );
  const port = Number(new URL(url).port);
  const token = await logIn({ url, username: 'demo', password: passwordOf('demo') });
  return {
    url,
    port,
    close,
    /** `Authorization: Bearer …` of the demo user, as a header line. */
    authorization: `Authorization: Bearer ${token}`,
    /** Sends these bytes on a new connection; returns all responses until it is closed. */
    exchange: (...parts: readonly Part[]) => exchanged(port, parts),
    /** A request that closes the connection behind it; header lines without line ends. */
    async send(line: string, headers: readonly string[] = [], body: Part = ''): Promise<WireAnswer> {
      const head = [`${line} HTTP/1.1`, `Host: localhost:${port}`, 'Connection: close', ...headers, '', ''];
      const [answer, ...more] = await exchanged(port, [head.join('\r\n'), body], line.startsWith('HEAD '));
      if (!answer || more.length > 0)
        throw new Error(`one request was answered ${more.length + (answer ? 1 : 0)} times`);
      return answer;
    },
  };
}

export type Wire = Awaited<ReturnType<typeof wire>>;

/** As `exchange` of a wire, to any port. @param isHead whether the answers are to HEAD */
export async function exchanged(port: number, parts: readonly Part[], isHead = false): Promise<WireAnswer[]> {
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

/** A connection that stays open for requests one after the other, and opens again when the other side has closed it. */
export class Connection {
  readonly #port: number;
  /** How many connections there were. */
  opened = 0;
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  /** Called when something came, or the connection has closed. */
  #wake: () => void = () => undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends the bytes of one request. The answer has status 0 if the connection was closed without one. @param isHead for a request with HEAD */
  async send(bytes: Uint8Array, isHead: boolean): Promise<HttpAnswer> {
    if (!this.#socket?.readable) this.#open();
    const socket = this.#socket as Socket;
    if (this.#received.length > 0) throw new Error(`bytes of no answer: ${shown(this.#received)}`);
    socket.write(bytes);
    for (;;) {
      const found = firstAnswer(this.#received, isHead, socket.closed);
      if (found) {
        this.#received = this.#received.subarray(found.length);
        if (found.isLast) this.close();
        return found.answer;
      }
      if (socket.closed && this.#received.length > 0) throw new Error(`no whole answer: ${shown(this.#received)}`);
      if (socket.closed) return { status: 0, headers: {}, text: '' };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): void {
    this.opened += 1;
    this.#received = Buffer.alloc(0);
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    this.#socket = socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      if (this.#socket === socket) this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    socket.on('close', () => this.#wake());
  }
}

/** One chunk of a chunked body. */
export function chunk(part: Part): Buffer {
  const bytes = Buffer.from(part as Uint8Array);
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** A whole chunked body of these chunks. */
export const chunked = (...parts: readonly Part[]): Buffer =>
  Buffer.concat([...parts.map((part) => chunk(part)), chunk('')]);

/** A body that comes in these pieces. */
export const pieces = (...parts: readonly Part[]): ReadableStream =>
  WebStream.from(parts.map((part) => Uint8Array.from(Buffer.from(part as Uint8Array)))) as ReadableStream;

/** A final answer; the names of its headers in small letters. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An answer, how many bytes it took, and whether its connection ends with it. */
interface Found {
  readonly answer: HttpAnswer;
  readonly length: number;
  readonly isLast: boolean;
}

/**
 * The first final answer in these bytes; undefined as long as it is not whole.
 * @param isHead whether the answers are to HEAD, and have no bodies
 * @param isClosed whether these bytes are all that comes: a body without a length ends with them
 */
function firstAnswer(bytes: Buffer, isHead: boolean, isClosed: boolean): Found | undefined {
  const head = headIn(bytes);
  if (!head) return undefined;
  const { status, headers } = head;
  const rest = bytes.subarray(head.length);
  if (status < 200) {
    const found = firstAnswer(rest, isHead, isClosed);
    return found && { ...found, length: head.length + found.length };
  }
  const isEmpty = status === 204 || status === 304;
  const body = isHead || isEmpty ? { bytes: rest.subarray(0, 0), length: 0 } : bodyIn(rest, headers, isClosed);
  if (!body) return undefined;
  // A bare head to HEAD says nothing: hapi closes the connection behind its own.
  const isLast = headers.connection === 'close' || !(isEmpty || isFramed(headers));
  return { answer: { status, headers, text: body.bytes.toString() }, length: head.length + body.length, isLast };
}

/** Every final answer of a connection that was closed. @throws Error for one that is not whole, and for bytes behind the last */
export function answersIn(bytes: Buffer, isHead = false): HttpAnswer[] {
  const answers: HttpAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const found = firstAnswer(rest, isHead, true);
    if (!found) throw new Error(`an answer is not whole: ${shown(rest)}`);
    answers.push(found.answer);
    rest = rest.subarray(found.length);
    if (found.isLast && rest.length > 0)
      throw new Error(`behind the answer that closes the connection there comes ${shown(rest)}`);
  }
  return answers;
}

const shown = (bytes: Buffer): string => JSON.stringify(bytes.toString().slice(0, 200));

type Headers = HttpAnswer['headers'];

function headIn(bytes: Buffer): { status: number; headers: Headers; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(line)?.[1]);
  if (Number.isNaN(status)) throw new Error(`no answer of HTTP/1.1: ${shown(bytes)}`);
  const pairs = lines.map((text) => /^(.*?):(.*)$/s.exec(text)?.slice(1) ?? [text, '']);
  const headers = Object.fromEntries(pairs.map(([name = '', value = '']) => [name.toLowerCase(), value.trim()]));
  return { status, headers, length: end + 4 };
}

type Body = { readonly bytes: Buffer; readonly length: number } | undefined;

const isFramed = (headers: Headers): boolean => 'content-length' in headers || 'transfer-encoding' in headers;

/** The body at the start of these bytes, once it is whole. */
function bodyIn(bytes: Buffer, headers: Headers, isClosed: boolean): Body {
  if (headers['transfer-encoding'] === 'chunked') return chunksIn(bytes);
  if (headers['content-length'] === undefined) return isClosed ? { bytes, length: bytes.length } : undefined;
  const length = Number(headers['content-length']);
  return length <= bytes.length ? { bytes: bytes.subarray(0, length), length } : undefined;
}

function chunksIn(bytes: Buffer): Body {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const start = bytes.indexOf('\r\n', at) + 2;
    if (start < 2) return undefined;
    const size = Number.parseInt(bytes.subarray(at, start).toString(), 16);
    if (Number.isNaN(size)) throw new Error(`a chunk without its size: ${shown(bytes.subarray(at))}`);
    at = start + size + 2;
    if (at > bytes.length) return undefined;
    if (size === 0) return { bytes: Buffer.concat(chunks), length: at };
    chunks.push(bytes.subarray(start, start + size));
  }
}
