// What stands before a server, and loses calls: by a mood each, then passes all others on.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Lost on its way; done, its answer lost whole or by half; answered by the proxy itself. */
export type Mood = 'lost' | 'unanswered' | 'cut' | 502 | 503 | 504;

interface Seen {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly key: string | undefined;
}

export interface LossyProxy {
  readonly url: string;
  /** How it meets the next calls. */
  readonly moods: Mood[];
  readonly seen: Seen[];
}

/** Closed with the test. */
export async function lossyProxy(to: string): Promise<LossyProxy> {
  const moods: Mood[] = [];
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request;
    seen.push({ method, path, key: headers['idempotency-key'] as string | undefined });
    await carry(to + path, moods.shift(), request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, moods, seen };
}

async function carry(to: string, mood: Mood | undefined, request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (mood === 'lost') return request.socket.destroy();
  if (typeof mood === 'number') return response.writeHead(mood).end(`<h1>${mood}</h1>`);
  const { status, text } = await passedOn(to, request, Buffer.concat(chunks));
  if (mood === 'unanswered') return request.socket.destroy();
  if (mood !== 'cut') return response.writeHead(status).end(text);
  response.writeHead(status, { 'content-length': text.length + 9 });
  return response.write(text, () => request.socket.destroy());
}

async function passedOn(to: string, { method = '', headers }: IncomingMessage, sent: Buffer) {
  const kept = ['authorization', 'content-type', 'idempotency-key'].flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  );
  const body = sent.length > 0 ? { body: new Uint8Array(sent) } : {};
  const answer = await fetch(to, { method, headers: Object.fromEntries(kept), ...body });
  return { status: answer.status, text: await answer.text() };
}
