// Clients of bytes: connections that send what they are given, and leave as they are told to.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** How a client leaves: it closes, it resets, or it ends its own side and waits for the other's end. */
export type Leaving = 'closed' | 'reset' | 'half-closed';
export const leavings: readonly Leaving[] = ['closed', 'reset', 'half-closed'];

/** A connection; errors are for whoever waits for its end. */
export async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket.on('error', () => undefined);
}

/** Until the connection is gone, however it went. */
export async function gone(socket: Socket, deadlineMilliseconds = 60_000): Promise<void> {
  if (socket.closed) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the server does not close the connection')), deadlineMilliseconds);
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await Promise.race([closed, late]).finally(() => clearTimeout(timer));
}

/** Sends this, takes so many bytes of what comes, and leaves. */
export async function leave(port: number, bytes: Uint8Array, leaving: Leaving, taken = 0): Promise<void> {
  const socket = await connected(port);
  if (bytes.length > 0) await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  if (taken > 0) await takenFrom(socket, taken);
  if (leaving === 'closed') socket.destroy();
  else if (leaving === 'reset') socket.resetAndDestroy();
  else socket.end().resume();
  await gone(socket);
}

/** Reads until so many bytes came, or no more do; what is behind them stays where it is. */
async function takenFrom(socket: Socket, bytes: number): Promise<void> {
  let count = 0;
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer) => {
      count += chunk.length;
      if (count < bytes) return;
      socket.pause().off('data', take);
      resolve();
    };
    socket.on('data', take).once('close', () => resolve());
  });
}

/** Does this for all of them, so many at a time. */
export async function together<T>(items: readonly T[], most: number, act: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await act(item);
  };
  await Promise.all(Array.from({ length: most }, worker));
}

/** After so long without a byte the client has nothing more to say, and says so. */
const quietMilliseconds = 1000;

/**
 * Sends this on a connection of its own; gives all that came back until that is closed.
 * @param isWhole whether the server knows where it ends; else the client says so, when nothing comes back
 */
export async function exchanged(port: number, bytes: Uint8Array, isWhole = true): Promise<Buffer> {
  const socket = await connected(port);
  const chunks: Buffer[] = [];
  const quiet = isWhole ? undefined : setTimeout(() => socket.end(), quietMilliseconds);
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    quiet?.refresh();
  });
  if (bytes.length > 0) socket.write(bytes);
  await gone(socket).finally(() => clearTimeout(quiet));
  return Buffer.concat(chunks);
}
