// Ports for programs that cannot take a free one by themselves.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** So many ports of loopback that nobody listens on now, as texts. */
export async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => String(server.address().port));
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
