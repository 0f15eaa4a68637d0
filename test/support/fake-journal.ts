// A server that answers as the control API's journal does, and whose connections a test can break: the real one does not.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export const fakeKey = 'fake-admin-key';

/** An entry as the journal holds it. */
export const entry = (id: string, more: object = {}) => ({
  id,
  completed: true,
  received_at: '2026-01-02T03:04:05.678Z',
  method: 'GET',
  path: '/v2/products',
  status: 200,
  rules: [],
  duration_ms: 1.25,
  decision: { sentence: 'All is well.', faults: [] },
  ...more,
});

/** A journal of the sandbox `stage`, on a free port; see `fakeJournal`. */
export class FakeJournal {
  /** What GET …/requests answers. */
  requests: readonly object[] = [];
  /** What every call is answered with instead of the journal. */
  status: number | undefined;
  /** The Last-Event-ID of each connection to the events so far. */
  readonly connections: (string | undefined)[] = [];
  readonly server = createServer((request, response) => this.#answer(request, response));
  #stream: ServerResponse | undefined;

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Writes to the open event stream. */
  write(bytes: string | Uint8Array): void {
    this.#stream?.write(bytes);
  }

  /** Breaks the open event stream off. */
  break(): void {
    this.#stream?.destroy();
  }

  #answer({ url, headers }: IncomingMessage, response: ServerResponse): void {
    const isOpen = this.status === undefined && headers.authorization === `Bearer ${fakeKey}`;
    if (isOpen && url === '/_admin/sandboxes/stage/events') this.#begin(headers['last-event-id'] as string, response);
    else if (isOpen && url === '/_admin/sandboxes/stage/requests')
      send(response, 200, { requests: this.requests, dropped: 0, oldest: null });
    else send(response, this.status ?? (isOpen ? 404 : 401), { message: 'So it is.' });
  }

  #begin(lastEventId: string | undefined, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 50\n\n: here\n\n');
    this.#stream = response;
    this.connections.push(lastEventId);
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A fake journal that is ready, and ends with the test. */
export async function fakeJournal(): Promise<FakeJournal> {
  const journal = new FakeJournal();
  journal.server.listen(0, '127.0.0.1');
  await once(journal.server, 'listening');
  onTestFinished(() => {
    journal.server.close();
    journal.server.closeAllConnections();
  });
  return journal;
}
