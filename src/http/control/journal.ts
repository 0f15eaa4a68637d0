// Handlers of what the sandbox received: its requests listed, read, exported, verified and waited for, the conduct report, the live events.
import type { Context } from 'hono';
import { stream } from 'hono/streaming';
import { sandboxBase } from '../../contract/addresses.ts';
import { ControlRefusal } from '../../contract/control/control-operation.ts';
import { quoted } from '../../contract/file-errors.ts';
import { parseInstant } from '../../contract/records.ts';
import { harOf } from '../../journal/har.ts';
import type { Journal } from '../../journal/journal.ts';
import type { FeedEvent } from '../../journal/live-events.ts';
import { presentEntry, presentList, presentVerified } from '../../journal/present.ts';
import { type Verified, verify, wait } from '../../journal/verify.ts';
import type { ControlCall, ControlHandlers } from './call.ts';

/** Reads the journal with everything that any server has answered until now. */
async function readJournal<T>({ sandbox: { journal } }: ControlCall, see: (journal: Journal) => T): Promise<T> {
  await journal.catchUp();
  return see(journal);
}

const cleared = { status: 204, body: undefined } as const;

export const journalHandlers = {
  'requests.list': (call, { query }) =>
    readJournal(call, (journal) => {
      const { since } = query;
      const isKnown = since === undefined || parseInstant(since) !== undefined || journal.get(since) !== undefined;
      if (!isKnown) throw evicted();
      return { status: 200, body: presentList(journal, query) };
    }),
  'requests.clear': async (call) => {
    await call.sandbox.journal.clearAll();
    return call.idempotency ? call.change(() => cleared) : cleared;
  },
  'requests.get': (call, { params }) =>
    readJournal(call, (journal) => {
      const entry = journal.get(params.id);
      if (!entry) throw new ControlRefusal(404, `The journal has no request ${quoted(params.id)} (any more)`);
      return { status: 200, body: presentEntry(entry) };
    }),
  'requests.har': (call) =>
    readJournal(call, (journal) => {
      const { sandbox, origin, deps } = call;
      const creator = { name: 'Sachet', version: deps.version };
      return { status: 200, body: harOf(journal.list(), origin + sandboxBase(sandbox.name), creator) };
    }),
  'requests.verify': (call, { body }) => readJournal(call, (journal) => verifiedReply(journal, verify(journal, body))),
  'requests.wait': async (call, { body }) => {
    const { sandbox, request } = call;
    const { journal } = sandbox;
    await journal.catchUp();
    const stop = sandbox.follow();
    const waiting = { timeoutMilliseconds: body.timeout_ms, signal: request.signal };
    const found = await sandbox.waits.take(() => wait(journal, body, waiting)).finally(stop);
    return verifiedReply(journal, found);
  },
  'report.get': (call) => readJournal(call, () => ({ status: 200, body: call.sandbox.conduct.report() })),
} satisfies Partial<ControlHandlers>;

/** @throws ControlRefusal 409 if the answer depends on evicted requests */
function verifiedReply(journal: Journal, found: Verified | 'evicted') {
  if (found !== 'evicted') return { status: 200, body: presentVerified(found, journal) } as const;
  throw evicted();
}

const evicted = (): ControlRefusal =>
  new ControlRefusal(
    409,
    'The journal no longer has all requests of this window, so it cannot tell; clear it before, or name a later `since`',
  );

/** Unread bytes after which a stream ends: more than a whole journal. The listener comes back with its last event id. */
const maxBytesBehind = 33_554_432;
const encoder = new TextEncoder();
const retryFrame = encoder.encode('retry: 1000\n\n');
const missedFrame = encoder.encode('event: missed\ndata: {}\n\n');
/** A comment: keeps proxies from closing the stream, and shows which listeners are gone. */
const beatFrame = encoder.encode(':\n\n');

/**
 * The live events as server-sent events, after the one in `Last-Event-ID`. `stream` instead of `streamSSE`: an event is encoded once for
 * all its listeners, there are comments, and the headers are those of the control API.
 */
export async function followEvents(context: Context, { sandbox, request }: ControlCall): Promise<Response> {
  const { journal, feed } = sandbox;
  // Requests that were answered before are not events.
  await journal.catchUp();
  feed.requireRoom();
  context.header('Content-Type', 'text/event-stream; charset=utf-8');
  context.header('Cache-Control', 'no-store');
  if (request.method === 'HEAD') return context.body(null);
  return stream(context, (output) => {
    return new Promise<void>((resolve) => {
      let [bytesBehind, isOver] = [0, false];
      let stop = (): void => undefined;
      const end = () => {
        if (isOver) return;
        isOver = true;
        stop();
        resolve();
      };
      const send = (frame: Uint8Array) => {
        if (isOver) return;
        bytesBehind += frame.length;
        // Not awaited, so that the sandbox never waits for a listener: the stream queues the frame until it is read.
        void output.write(frame).then(() => {
          bytesBehind -= frame.length;
        });
        if (bytesBehind > maxBytesBehind) end();
      };
      output.onAbort(end);
      send(retryFrame);
      const listener = {
        tell: (event: FeedEvent) => send(frameOf(event)),
        missed: () => send(missedFrame),
        beat: () => send(beatFrame),
        end,
      };
      stop = feed.listen(listener, request.headers.get('last-event-id') ?? undefined);
      // Events that were repeated may have been more than the stream takes.
      if (isOver) stop();
    });
  });
}

/** Frames that some listener still has to read, by entry or event: listeners that are behind share them. */
const frames = new WeakMap<object, WeakRef<Uint8Array>>();

function frameOf(event: FeedEvent): Uint8Array {
  // An event of a request is made anew for each listener that comes back; its entry stays the same.
  const key = event.entry ?? event;
  const existing = frames.get(key)?.deref();
  if (existing) return existing;
  const frame = encoder.encode(`id: ${event.id}\nevent: ${event.type}\ndata: ${event.json}\n\n`);
  frames.set(key, new WeakRef(frame));
  return frame;
}
