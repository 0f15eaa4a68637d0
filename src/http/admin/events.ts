// Server-sent events: the live feed of a sandbox. `Last-Event-ID` goes on where a listener was cut off.
import { machineTime, timeOf } from '../../control/clock.ts';
import type { FeedEvent } from '../../control/feed.ts';
import { presentEntry } from '../../control/journal/present.ts';
import type { ControlCall, ControlHandlersFor } from './control-call.ts';

/** Events that a listener may be behind, a whole replay and more; then its stream ends, and it comes back with its last id. */
const maxBehind = 2000;
const headers = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' };
const encoder = new TextEncoder();

export const eventHandlers: ControlHandlersFor<'events.follow'> = {
  'events.follow': (call) => new Response(streamOf(call), { headers }),
};

function streamOf({ sandbox, request }: ControlCall): ReadableStream<Uint8Array> {
  let stop = () => undefined as unknown;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const sender = new Sender(controller, () => stop());
        sender.send('retry: 1000\n\n');
        if (request.method === 'HEAD') return sender.end();
        stop = sandbox.feed.listen(sender, request.headers.get('last-event-id') ?? undefined);
        if (sender.isOver) stop();
      },
      cancel: () => void stop(),
    },
    { highWaterMark: 0 },
  );
}

/** Sends events to one listener, until the stream ends or the listener is too far behind. */
class Sender {
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #stop: () => void;
  isOver = false;

  constructor(controller: ReadableStreamDefaultController<Uint8Array>, stop: () => void) {
    this.#controller = controller;
    this.#stop = stop;
  }

  send(text: string): void {
    if (this.isOver) return;
    this.#controller.enqueue(encoder.encode(text));
    if ((this.#controller.desiredSize ?? 0) < -maxBehind) this.end();
  }

  readonly tell = (event: FeedEvent): void => this.send(framed(event));
  readonly missed = (): void => this.send('event: missed\ndata: {}\n\n');

  readonly end = (): void => {
    if (this.isOver) return;
    this.isOver = true;
    this.#stop();
    this.#controller.close();
  };
}

const framed = ({ id, type, what }: FeedEvent): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(dataOf(type, what))}\n\n`;

function dataOf(type: FeedEvent['type'], what: FeedEvent['what']): unknown {
  if (!('root' in what)) return presentEntry(what);
  const { version, values } = what.root;
  const { clock } = values;
  if (type === 'state') return { version, changed: what.changed };
  return { now: new Date(timeOf(clock, machineTime())).toISOString(), frozen: clock.frozen, rate: clock.rate };
}
