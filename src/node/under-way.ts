// The calls of a server that are not answered yet, by their connections.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { answers } from '../http/held.ts';

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
