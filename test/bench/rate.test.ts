// What the load generator makes of answers that do not come: whether the machine may be why.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { benchModule } from './support.ts';

interface Rate {
  measureRate(url: string, requests: Buffer[], until: object, connections: number): Promise<{ answers: number }>;
}
const { measureRate } = await benchModule<Rate>('load/rate.mjs');
const { OutOfTime } = await benchModule<{ OutOfTime: new (words: string) => Error }>('out-of-time.mjs');

async function rateOf(listener: RequestListener): Promise<{ answers: number }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = Buffer.from('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  return measureRate(`http://127.0.0.1:${port}`, [request], { answers: 20, graceSeconds: 0.2 }, 4);
}

test('as many answers as were asked for are taken', async () => {
  expect(await rateOf((_, response) => response.end('it'))).toMatchObject({ answers: 20 });
});

test('where none comes on any connection its time is up', async () => {
  const none = rateOf(() => undefined);
  await expect(none).rejects.toBeInstanceOf(OutOfTime);
  await expect(none).rejects.toThrow('no answer within 0.2 s');
});

test('an answer that is lost while others come is no matter of time', async () => {
  let count = 0;
  const lost = rateOf((_, response) => {
    count += 1;
    if (count !== 7) response.end('it');
  });
  await expect(lost).rejects.toThrow('1 of 20 requests had no answer within 0.2 s');
  await expect(lost).rejects.not.toBeInstanceOf(OutOfTime);
});
