// Server-sent events: the live feed of a sandbox. `Last-Event-ID` goes on where a listener was cut off.
import { machineTime, timeOf } from '../../control/clock.ts';
import type { FeedEvent } from '../../control/feed.ts';
import { presentEntry } from '../../control/journal/present.ts';
import type { ControlCall, ControlHandlersFor } from './control-call.ts';

/** Events that a listener may be behind; then its stream ends, and it comes back with its last id. */
const maxBehind = 1000;
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
        const send = (text: string) => controller.enqueue(encoder.encode(text));
        const end = () => {
          stop();
          controller.close();
        };
        const tell = (event: FeedEvent) => {
          send(framed(event));
          if ((controller.desiredSize ?? 0) < -maxBehind) end();
        };
        send('retry: 1000\n\n');
        if (request.method === 'HEAD') return controller.close();
        const listening = sandbox.feed.listen({ tell, end }, lastId(request));
        stop = listening.stop;
        if (listening.missed) send('event: missed\ndata: {}\n\n');
      },
      cancel: () => void stop(),
    },
    { highWaterMark: 0 },
  );
}

function lastId({ headers: given }: Request): number | undefined {
  const id = given.get('last-event-id');
  return id !== null && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
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
