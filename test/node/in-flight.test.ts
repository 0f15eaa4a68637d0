// Which calls of a server are under way: those whose connections are gone are not, in whatever order they stood on them.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { responses } from '../../src/http/memory.ts';
import { InFlightRequests } from '../../src/node/listen.ts';

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** A server that answers nothing by itself. */
async function followed() {
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => void responses.push(response));
  const inFlight = new InFlightRequests(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  return { server, inFlight, responses, socket };
}

type Followed = Awaited<ReturnType<typeof followed>>;

test('an answer is under way until it is given; the last of a connection is known behind it', async () => {
  const { server, inFlight, responses, socket } = await followed();
  socket.write(get);
  await once(server, 'request');
  const [response] = responses;
  expect([inFlight.size, inFlight.has(response)]).toEqual([1, true]);
  const idle = once(server, 'idle');
  response?.end();
  await idle;
  expect([inFlight.size, inFlight.has(response)]).toEqual([0, false]);
  expect(response?.socket === null && inFlight.lastOn(response.req.socket)).toBe(response);
});

test('answers that wait for their turn on a connection end with it', async () => {
  const { server, inFlight, socket } = await followed();
  socket.write(get.repeat(20));
  await expect.poll(() => inFlight.size).toBe(20);
  const idle = once(server, 'idle');
  socket.resetAndDestroy();
  await idle;
  expect(inFlight.size).toBe(0);
});

test.each([
  ['it has been given', ({ responses }: Followed) => void responses[0]?.end()],
  ['its connection is gone', ({ socket }: Followed) => void socket.resetAndDestroy()],
])('what an answer holds is counted until %s', async (_, end) => {
  const all = await followed();
  all.socket.write(get.repeat(3));
  await expect.poll(() => all.inFlight.size).toBe(3);
  const [first, second] = all.responses;
  if (!first || !second) throw new Error('there are three');
  all.inFlight.hold(first, 268_435_456);
  expect(responses.hasMemory(1)).toBe(false);
  end(all);
  await expect.poll(() => responses.hasMemory(1)).toBe(true);
});
