// The end of a connection whose client may still be sending.
import type { Duplex } from 'node:stream';

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
