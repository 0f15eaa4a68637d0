// Server-sent events: the live feed of a sandbox. `Last-Event-ID` goes on where a listener was cut off.
import type { FeedEvent, Listener } from '../../control/listeners.ts';
import { andThen } from '../../state/store.ts';
import type { ControlCall, ControlHandlersFor } from './control-call.ts';

/** Bytes that a listener may be behind, a whole journal and more; then its stream ends, and it comes back with its last id. */
const maxBytesBehind = 33_554_432;
const headers = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' };
const encoder = new TextEncoder();

type Controller = ReadableStreamDefaultController<Uint8Array>;

export const eventHandlers: ControlHandlersFor<'events.follow'> = {
  'events.follow': (call) => {
    call.sandbox.feed.requireRoom();
    // What was answered before is nothing that happens now.
    return andThen(call.sandbox.journal.catchUp(), () => new Response(streamOf(call), { headers }));
  },
};

function streamOf({ sandbox, request }: ControlCall): ReadableStream<Uint8Array> {
  let stop = () => undefined as unknown;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const sender = new Sender(controller, () => stop());
        sender.send(encoder.encode('retry: 1000\n\n'));
        if (request.method === 'HEAD') return sender.end();
        stop = sandbox.feed.listen(sender, request.headers.get('last-event-id') ?? undefined);
        if (sender.isOver) stop();
      },
      cancel: () => void stop(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
}

const missedFrame = encoder.encode('event: missed\ndata: {}\n\n');
/** A comment. */
const beatFrame = encoder.encode(':\n\n');
/** Made once, however many listen, and whenever: those who are behind hold the same bytes, as long as there are any. */
const frames = new WeakMap<object, WeakRef<Uint8Array>>();

function frameOf(event: FeedEvent): Uint8Array {
  // An event that is told again is made again, of the same request.
  const told = event.entry ?? event;
  const kept = frames.get(told)?.deref();
  if (kept) return kept;
  const { id, type, json } = event;
  const frame = encoder.encode(`id: ${id}\nevent: ${type}\ndata: ${json}\n\n`);
  frames.set(told, new WeakRef(frame));
  return frame;
}

/** Sends events to one listener, until the stream ends or the listener is too far behind. */
class Sender implements Listener {
  readonly #controller: Controller;
  readonly #stop: () => void;
  isOver = false;

  constructor(controller: Controller, stop: () => void) {
    this.#controller = controller;
    this.#stop = stop;
  }

  send(bytes: Uint8Array): void {
    if (this.isOver) return;
    this.#controller.enqueue(bytes);
    if ((this.#controller.desiredSize ?? 0) < -maxBytesBehind) this.end();
  }

  readonly tell = (event: FeedEvent): void => this.send(frameOf(event));
  readonly missed = (): void => this.send(missedFrame);
  readonly beat = (): void => this.send(beatFrame);

  readonly end = (): void => {
    if (this.isOver) return;
    this.isOver = true;
    this.#stop();
    this.#controller.close();
  };
}
