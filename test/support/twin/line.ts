/** A connection of HTTP/1.1 that is used as long as it may be: one request after another, each answered before the next. */
import { connect, type Socket } from 'node:net';

/** An answer as it came; of status 0 where the connection was closed without one. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface Waiting {
  readonly isHead: boolean;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export class Line {
  readonly #port: number;
  /** How many connections there were. */
  opened = 0;
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  #waiting: Waiting | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends the bytes of one request; `isHead` for one that is answered without a body. */
  send(bytes: Uint8Array, isHead: boolean): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { isHead, resolve, reject };
      const socket = this.#socket ?? this.#open();
      socket.write(bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1');
    this.opened += 1;
    socket.setNoDelay(true);
    this.#socket = socket;
    this.#received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      if (this.#socket !== socket) return;
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#take(false);
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (this.#socket !== socket) return;
      this.#take(true);
      this.close();
    });
    return socket;
  }

  /** Hands on an answer that is whole. */
  #take(isClosed: boolean): void {
    const waiting = this.#waiting;
    if (!waiting) {
      if (this.#received.length > 0) throw new Error(`bytes of no answer: ${this.#received.toString().slice(0, 200)}`);
      return;
    }
    const found = firstAnswer(this.#received, waiting.isHead, isClosed);
    if (!found) {
      if (isClosed) this.#end(() => unanswered(waiting, this.#received));
      return;
    }
    this.#received = this.#received.subarray(found.length);
    if (isLast(found.answer)) this.close();
    this.#end(() => waiting.resolve(found.answer));
  }

  #end(tell: () => void): void {
    this.#waiting = undefined;
    tell();
  }
}

function unanswered({ resolve, reject }: Waiting, received: Buffer): void {
  if (received.length === 0) resolve({ status: 0, headers: {}, text: '' });
  else reject(new Error(`no whole answer: ${received.toString()}`));
}

/** Whether a connection ends with this answer: it says so, or nothing says where it ends. */
const isLast = ({ headers }: Answer): boolean =>
  headers.connection === 'close' || !('content-length' in headers || 'transfer-encoding' in headers);

interface Found {
  readonly answer: Answer;
  readonly length: number;
}

function firstAnswer(bytes: Buffer, isHead: boolean, isClosed: boolean): Found | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(lines.map((text) => pair(text)));
  const rest = bytes.subarray(end + 4);
  const content = isHead ? { body: Buffer.alloc(0), length: 0 } : contentOf(rest, headers, isClosed);
  if (!content) return undefined;
  const status = Number(line.split(' ')[1]);
  return { answer: { status, headers, text: content.body.toString() }, length: end + 4 + content.length };
}

const pair = (line: string): [string, string] => {
  const at = line.indexOf(':');
  return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
};

type Content = { readonly body: Buffer; readonly length: number } | undefined;

/** The body after a head, once it is whole; without a length it ends with the connection. */
function contentOf(bytes: Buffer, headers: Readonly<Record<string, string>>, isClosed: boolean): Content {
  if (headers['transfer-encoding'] === 'chunked') return chunkedContent(bytes);
  if (headers['content-length'] === undefined) return isClosed ? { body: bytes, length: bytes.length } : undefined;
  const length = Number(headers['content-length']);
  return bytes.length < length ? undefined : { body: bytes.subarray(0, length), length };
}

function chunkedContent(bytes: Buffer): Content {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const start = bytes.indexOf('\r\n', at) + 2;
    if (start < 2) return undefined;
    const size = Number.parseInt(bytes.subarray(at, start).toString(), 16);
    at = start + size + 2;
    if (at > bytes.length) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), length: at };
    chunks.push(bytes.subarray(start, start + size));
  }
}
