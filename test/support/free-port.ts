// A port for a program that cannot choose one.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the system assigns, so that no other program gets it while the server is down. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
    return port;
  } catch {
    return freePort();
  } finally {
    probe.close();
  }
}
