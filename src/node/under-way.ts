// The calls of a server that are not answered yet, by their connections.
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../engine-options.ts';
import { answers } from '../http/memory.ts';

/** What a connection gets: its answers under way, and the last of all that it got or gets. */
interface Connection {
  /** One, mostly, unless the client sends before it is answered. */
  readonly open: ServerResponse[];
  last: ServerResponse;
  /** Where it stands among those of its server. */
  at: number;
}

const connectionOf = Symbol('connection');
type Followed = Duplex & { [connectionOf]?: Connection };

/** Follows a server from now on. It emits `idle` whenever its last call under way has ended. */
export class UnderWay {
  /** In no order. As a map, which V8 rebuilds every few connections, they left 20 MB more of garbage behind 15,000 connections. */
  readonly #connections: Connection[] = [];
  readonly #server: Server;
  readonly #held = new WeakMap<ServerResponse, () => void>();
  #size = 0;

  constructor(server: Server) {
    this.#server = server;
    // Before the answer is begun.
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const connection = (socket as Followed)[connectionOf] ?? this.#opened(socket, response);
      connection.open.push(response);
      connection.last = response;
      this.#size += 1;
      response.once('close', () => this.#end(connection, response));
    });
  }

  /** Node tells nothing to those answers of a closed connection that still wait for their turn on it. */
  #opened(socket: Followed, last: ServerResponse): Connection {
    const connection: Connection = { open: [], last, at: this.#connections.length };
    socket[connectionOf] = connection;
    this.#connections.push(connection);
    socket.once('close', () => {
      this.#leave(connection);
      for (const response of [...connection.open]) this.#end(connection, response);
    });
    return connection;
  }

  /** The last one takes its place. */
  #leave({ at }: Connection): void {
    const last = this.#connections.pop();
    if (!last || last.at === at) return;
    last.at = at;
    this.#connections[at] = last;
  }

  /** Counts what an answer holds until it has ended. */
  hold(response: ServerResponse, bytes: number): void {
    if (bytes > 0 && this.has(response)) this.#held.set(response, answers.hold(bytes));
  }

  #end({ open }: Connection, response: ServerResponse): void {
    if (open.at(-1) === response) open.pop();
    else if (open.includes(response)) open.splice(open.indexOf(response), 1);
    else return;
    this.#held.get(response)?.();
    this.#size -= 1;
    if (this.#size === 0) this.#server.emit('idle');
  }

  get size(): number {
    return this.#size;
  }

  *[Symbol.iterator](): IterableIterator<ServerResponse> {
    for (const { open } of this.#connections) yield* open;
  }

  has(response: ServerResponse | undefined): boolean {
    return response !== undefined && (response.req.socket as Followed)[connectionOf]?.open.includes(response) === true;
  }

  /** Of the answers under way on a connection the last one whose request has come whole. */
  lastWholeOn(socket: Duplex): ServerResponse | undefined {
    return (socket as Followed)[connectionOf]?.open.findLast(({ req }) => req.complete);
  }

  /** The answer to the last request of a connection, under way or not. */
  lastOn(socket: Duplex): ServerResponse | undefined {
    return (socket as Followed)[connectionOf]?.last;
  }
}

// How a server ends: it says so at /health, answers the calls under way, and closes.

const graceMilliseconds = 500;

/** What it gives closes the server, once. */
export function closing(server: Server, underWay: UnderWay, engine: Pick<Engine, 'close'>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  // Before the answer is begun.
  server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
    if (closed) last(response);
  });
  const close = async () => {
    for (const response of underWay) last(response);
    engine.close();
    // Until then it listens: whoever asks how it is shall be told, and not meet a closed port.
    if (underWay.size > 0)
      await Promise.race([once(server, 'idle'), sleep(graceMilliseconds, undefined, { ref: false })]);
    const gone = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await gone;
  };
  return () => {
    closed ??= close();
    return closed;
  };
}

/** Tells the client that its connection takes no further call, where the answer is not begun. */
function last(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}

// The end of a connection whose client may still be sending.

const lingerMilliseconds = 500;

/**
 * Ends a connection behind what was written to it. What its client still sends is taken and thrown away for a moment: a connection that is closed with bytes
 * unread is reset, and the client may lose the answer.
 */
export function endSoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingerMilliseconds);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', () => socket.destroy());
  socket.resume();
  if (socket.writable) socket.end();
}
