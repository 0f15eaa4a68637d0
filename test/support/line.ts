// A connection of HTTP/1.1 that is used as long as it may be: one request after another, each answered before the next.
import { connect, type Socket } from 'node:net';
import { firstAnswer, type HttpAnswer } from './http-answers.ts';

interface Waiting {
  readonly isHead: boolean;
  readonly resolve: (answer: HttpAnswer) => void;
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

  /** Sends the bytes of one request, `isHead` for one that is answered without a body; of status 0 where the connection was closed without an answer. */
  send(bytes: Uint8Array, isHead: boolean): Promise<HttpAnswer> {
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
    const found = firstAnswer(this.#received, { isHead: waiting.isHead, isClosed });
    if (!found) {
      if (isClosed) this.#end(() => unanswered(waiting, this.#received));
      return;
    }
    this.#received = this.#received.subarray(found.length);
    if (found.isLast) this.close();
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
