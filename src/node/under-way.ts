// The calls of a server that are not answered yet, by their connections.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { answers } from '../http/held.ts';

/** What a connection gets: its answers under way, and the last of all that it got or gets. */
interface Connection {
  /** One, mostly, unless the client sends before it is answered. */
  readonly open: ServerResponse[];
  last: ServerResponse;
}

/** Follows a server from now on. It emits `idle` whenever its last call under way has ended. */
export class UnderWay {
  readonly #connections = new Map<Duplex, Connection>();
  readonly #server: Server;
  readonly #held = new WeakMap<ServerResponse, () => void>();
  #size = 0;

  constructor(server: Server) {
    this.#server = server;
    // Before the answer is begun.
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const connection = this.#connections.get(socket) ?? this.#opened(socket, response);
      connection.open.push(response);
      connection.last = response;
      this.#size += 1;
      response.once('close', () => this.#end(connection, response));
    });
  }

  /** Node tells nothing to those answers of a closed connection that still wait for their turn on it. */
  #opened(socket: Duplex, last: ServerResponse): Connection {
    const connection: Connection = { open: [], last };
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      this.#connections.delete(socket);
      for (const response of [...connection.open]) this.#end(connection, response);
    });
    return connection;
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
    for (const { open } of this.#connections.values()) yield* open;
  }

  has(response: ServerResponse | undefined): boolean {
    return response !== undefined && this.#connections.get(response.req.socket)?.open.includes(response) === true;
  }

  /** Of the answers under way on a connection the last one whose request has come whole. */
  lastWholeOn(socket: Duplex): ServerResponse | undefined {
    return this.#connections.get(socket)?.open.findLast(({ req }) => req.complete);
  }

  /** The answer to the last request of a connection, under way or not. */
  lastOn(socket: Duplex): ServerResponse | undefined {
    return this.#connections.get(socket)?.last;
  }
}
