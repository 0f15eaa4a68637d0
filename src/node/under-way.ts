// The calls of a server that are not answered yet.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Follows a server from now on. It emits `idle` whenever its last call under way has ended. */
export class UnderWay {
  readonly #responses = new Set<ServerResponse>();
  readonly #lastOn = new WeakMap<Duplex, ServerResponse>();
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
    const end = (response: ServerResponse) => this.#end(response);
    function ended(this: ServerResponse): void {
      end(this);
    }
    // Before the answer is begun.
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#responses.add(response);
      this.#lastOn.set(socket, response);
      response.on('close', ended);
    });
  }

  #end(response: ServerResponse): void {
    this.#responses.delete(response);
    if (this.#responses.size === 0) this.#server.emit('idle');
  }

  get size(): number {
    return this.#responses.size;
  }

  [Symbol.iterator](): IterableIterator<ServerResponse> {
    return this.#responses.values();
  }

  has(response: ServerResponse | undefined): boolean {
    return response !== undefined && this.#responses.has(response);
  }

  /** The answer to the last request of a connection, under way or not. */
  lastOn(socket: Duplex): ServerResponse | undefined {
    return this.#lastOn.get(socket);
  }
}
