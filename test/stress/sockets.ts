// Clients that write bytes on sockets of their own.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { withDeadline } from '../support/command.ts';
import { collected } from '../support/wire.ts';
import type { Client } from './server.ts';

export const json = 'Content-Type: application/json';

/** The head of a request, with its empty line. */
export function headText({ url, token }: Client, line: string, ...headers: readonly string[]): string {
  const { host } = new URL(url);
  return [`${line} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');
}

/** A whole request; a body is JSON. */
export const requestText = (client: Client, line: string, body = ''): string =>
  body ? headText(client, line, json, `Content-Length: ${Buffer.byteLength(body)}`) + body : headText(client, line);

export async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket.on('error', () => undefined);
}

/** Waits until the connection is closed, also by an error. */
export const closed = (socket: Socket, milliseconds = 60_000): Promise<unknown> => {
  const closing = socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve));
  return withDeadline(closing, milliseconds, () => 'the server has not closed the connection');
};

/**
 * Sends this on a connection of its own, and returns all bytes until it is closed.
 * @param isWhole whether the server knows where the request ends; otherwise the client ends it after a second without a byte
 */
export async function exchange(port: number, bytes: Uint8Array, isWhole = true): Promise<Buffer> {
  const socket = await connected(port);
  const received = collected(socket);
  const quiet = isWhole ? undefined : setTimeout(() => socket.end(), 1000);
  socket.on('data', () => quiet?.refresh());
  if (bytes.length > 0) socket.write(bytes);
  await closed(socket).finally(() => clearTimeout(quiet));
  return received;
}

/** Runs this for all items, at most `limit` at a time. */
export async function inParallel<T>(items: readonly T[], limit: number, act: (item: T) => unknown): Promise<void> {
  const left = items.values();
  const work = async () => {
    for (const item of left) await act(item);
  };
  await Promise.all(Array.from({ length: limit }, work));
}
