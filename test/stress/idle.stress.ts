// Many connections that are held open: each is answered when its turn comes, and is closed when it has been idle for long enough.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'vitest';
import { known } from '../cases/requests.ts';
import { faultsOf, isShort, shown, tell } from './figure.ts';
import { requestText } from './request-text.ts';
import { quiet, startStressed } from './server.ts';
import { connected, gone } from './sockets.ts';

const count = 1000;
/** Node tells clients that it keeps a connection for so long; newer ones wait up to a second longer. */
const [idleSeconds, latestSeconds] = [65, 68];

test('a thousand connections held open', async (context) => {
  const server = await startStressed();
  const { url, port, token } = server;
  const request = requestText(url, token, `GET /v2/products/${known.product}`);
  const { files } = await quiet(server);
  const sockets = await Promise.all(Array.from({ length: count }, () => connected(port)));
  const ask = async () =>
    (await Promise.all(sockets.map((socket) => answered(socket, request)))).filter(Boolean).length;
  const first = await ask();
  const open = server.openFiles() - files;
  const second = await ask();
  tellIdle(context, { open, answers: [first, second], closed: isShort ? undefined : await closedAfter(sockets) });
});

interface Found {
  readonly open: number;
  /** To the first request of each, and to the second. */
  readonly answers: readonly [number, number];
  /** After how many idle seconds each was closed; the short form does not wait for it. */
  readonly closed: readonly number[] | undefined;
}

function tellIdle(context: Parameters<typeof tell>[0], { open, answers, closed }: Found): void {
  const [from, to] = [Math.min(...(closed ?? [])), Math.max(...(closed ?? []))];
  tell(context, {
    row: 'idle',
    done: `${shown(count)} connections at once: each sends a request, waits until all others have sent theirs, and sends a second one${closed ? '; then all stay idle' : ''}`,
    wanted: `all are open at the same time, and each gets two responses${closed ? `; the server closes each after ${idleSeconds} s` : ''}`,
    measured: `${shown(open)} open at the same time, ${answers.map((one) => shown(one)).join(' and ')} responses${closed ? `; closed after ${shown(from, 1)} to ${shown(to, 1)} s` : ''}`,
    faults: faultsOf({
      'not all are open at the same time': open < count,
      'not all are answered': answers.some((one) => one < count),
      'they are closed too early': from < idleSeconds - 0.5,
      'they are closed too late': to > latestSeconds,
    }),
  });
}

/** When each was last answered. */
const idleSince = new WeakMap<Socket, number>();

/** Whether this is answered with 200, by a whole answer. */
async function answered(socket: Socket, request: string): Promise<boolean> {
  socket.write(request);
  let text = '';
  while (!isWhole(text)) {
    const chunk = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => undefined)]);
    if (!chunk) return false;
    text += String(chunk[0]);
  }
  idleSince.set(socket, performance.now());
  return text.startsWith('HTTP/1.1 200 ');
}

/** By the end of its JSON. */
const isWhole = (text: string): boolean => text.includes('\r\n\r\n') && text.endsWith('}}');

/** After how many idle seconds each is closed. */
const closedAfter = (sockets: readonly Socket[]): Promise<number[]> =>
  Promise.all(
    sockets.map(async (socket) => {
      await gone(socket.resume(), 90_000);
      return (performance.now() - (idleSince.get(socket) ?? 0)) / 1000;
    }),
  );
