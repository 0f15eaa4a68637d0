// Word to those who listen that they are still heard: whatever happens, and so that those who have gone are noticed.
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bounds } from '../../src/contract/control/bounds.ts';
import { ControlRefusal } from '../../src/contract/control/control-operation.ts';
import { listen } from '../../src/node/listen.ts';
import type { HostedSandbox } from '../../src/sandbox/hosted-sandbox.ts';
import { type BareSachet, bareSachet, send } from '../support/bare-sachet.ts';

const beat = 15_000;

/** A server whose heart beats when the test says so. */
function sachetBeating(): BareSachet {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return bareSachet();
}

const streams = [
  ['events', '/_admin/sandboxes/stage/events', 'retry: 1000\n\n', ':\n\n'],
  ['console', '/_console/_live/stage', '{"changed":[]}\n', '{"changed":[]}\n'],
] as const;

test.each(streams)(
  'every 15 seconds whoever follows by the %s is told that it is heard',
  async (_, path, first, word) => {
    const sachet = sachetBeating();
    const { body } = await send(sachet, 'GET', path, { token: sachet.adminKey });
    const reader = (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe(first);
    for (let beats = 0; beats < 3; beats += 1) {
      vi.advanceTimersByTime(beat);
      expect((await reader.read()).value).toBe(word);
    }
    await reader.cancel();
    expect(vi.getTimerCount()).toBe(0);
  },
);

/** How many listen, by how many more may. */
function listenersOf({ feed }: HostedSandbox): number {
  const nothing = () => undefined;
  const ends: (() => void)[] = [];
  try {
    while (ends.length <= bounds.listeners)
      ends.push(feed.listen({ onEvent: nothing, onMissed: nothing, onHeartbeat: nothing, onEnd: nothing }));
    throw new Error('more may listen than the bound says');
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw error;
    return bounds.listeners - ends.length;
  } finally {
    for (const end of ends) end();
  }
}

test('a listener who has gone behind many calls that it sent is noticed by the next beat', async () => {
  const sachet = sachetBeating();
  const { url, close } = await listen(sachet, { port: 0, host: '127.0.0.1' });
  onTestFinished(close);
  const head = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${sachet.adminKey}\r\n\r\n`;
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(head('/_admin/sandboxes/stage/events') + head('/v2/products').repeat(2000));
  const sandbox = (await sachet.sandboxes.get('stage')) as HostedSandbox;
  const { journal } = sandbox;
  await expect.poll(() => [listenersOf(sandbox), journal.list().length > 0]).toEqual([1, true]);
  socket.resetAndDestroy();
  await expect
    .poll(() => {
      vi.advanceTimersByTime(beat);
      return listenersOf(sandbox);
    })
    .toBe(0);
});
