// A server that responds like the journal of the sandbox `stage`, and can break its connections.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export const fakeKey = 'fake-admin-key';

/** An entry of the journal. */
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

export async function fakeJournal(requests: readonly object[] = []) {
  let stream: ServerResponse | undefined;
  /** The Last-Event-ID of each connection to the events. */
  const connections: (string | undefined)[] = [];
  const journal = { requests, connections, status: undefined as number | undefined, url: '' };
  const server = createServer(({ url, headers }, response) => {
    const isKnown = journal.status === undefined && headers.authorization === `Bearer ${fakeKey}`;
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (isKnown && url === '/_admin/sandboxes/stage/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 50\n\n: here\n\n');
      stream = response;
      connections.push(headers['last-event-id'] as string | undefined);
    } else if (isKnown && url === '/_admin/sandboxes/stage/requests')
      send(200, { requests: journal.requests, dropped: 0, oldest: null });
    else send(journal.status ?? (isKnown ? 404 : 401), { message: 'So it is.' });
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  journal.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(journal, {
    /** Writes to the open event stream. */
    write: (bytes: string | Uint8Array): void => void stream?.write(bytes),
    /** Breaks the open event stream. */
    break: (): void => void stream?.destroy(),
  });
}
