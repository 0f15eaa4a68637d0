// One connection: what is sent on it, all that came back, and how it ended.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Exchanged {
  /** All bytes that came, a character for each; ids of requests and machine times made alike. */
  readonly received: string;
  /** Whether the other side ended the connection or reset it. */
  readonly end: 'closed' | 'reset';
}

export interface Spoken {
  readonly socket: Socket;
  /** What has come so far. */
  readonly heard: () => string;
  readonly ended: Promise<Exchanged>;
}

/** Opens a connection to a port. */
export async function speak(port: number): Promise<Spoken> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  let end: Exchanged['end'] = 'closed';
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('end', () => socket.end());
  socket.on('error', () => {
    end = 'reset';
  });
  const heard = () => Buffer.concat(chunks).toString('latin1');
  const ended = new Promise<Exchanged>((resolve) =>
    socket.once('close', () => resolve({ received: alike(heard()), end })),
  );
  await once(socket, 'connect');
  return { socket, heard, ended };
}

/** Sends bytes on a connection of their own, and waits until the server ends it. */
export async function exchange(port: number, ...segments: readonly Uint8Array[]): Promise<Exchanged> {
  const { socket, ended } = await speak(port);
  for (const segment of segments) if (!socket.destroyed) socket.write(segment);
  return ended;
}

/** The times of a frozen clock stay; those of the machine, and what is drawn by chance, go. */
export const alike = (text: string): string =>
  text
    .replace(/(Sandbox-Request-Id: )[^\r]*/gi, '$1…')
    .replace(/(\r\nDate: )(?!Fri, 20 Nov 2026 )[^\r]*/gi, '$1…')
    .replaceAll(/localhost:\d{4,5}\b/g, 'localhost:…');
