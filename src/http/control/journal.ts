// Handlers of the requests that a sandbox received, its conduct report, and its live events.
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
import { type ControlCall, type ControlHandlers, noContent, ok } from './call.ts';

/** Reads the journal with the requests of all servers until now. */
async function readJournal<T>({ sandbox: { journal } }: ControlCall, reader: (journal: Journal) => T): Promise<T> {
  await journal.catchUp();
  return reader(journal);
}

export const journalHandlers = {
  'requests.list': (call, { query }) =>
    readJournal(call, (journal) => {
      const { since } = query;
      const isKnown = since === undefined || parseInstant(since) !== undefined || journal.get(since) !== undefined;
      if (!isKnown) throw evicted(journal, since);
      return ok(presentList(journal, query));
    }),
  'requests.clear': async (call) => {
    await call.sandbox.journal.clearAll();
    return call.idempotency ? call.change(() => noContent) : noContent;
  },
  'requests.get': (call, { params }) =>
    readJournal(call, (journal) => {
      const entry = journal.get(params.id);
      if (!entry)
        throw new ControlRefusal(
          404,
          `The journal has no request ${quoted(params.id)}; it may have been dropped or cleared`,
        );
      return ok(presentEntry(entry));
    }),
  'requests.har': (call) =>
    readJournal(call, (journal) => {
      const { sandbox, origin, deps } = call;
      const creator = { name: 'Sachet', version: deps.version };
      return ok(harOf(journal.list(), origin + sandboxBase(sandbox.name), creator));
    }),
  'requests.verify': (call, { body }) =>
    readJournal(call, (journal) => verifiedReply(journal, body.since, verify(journal, body))),
  'requests.wait': async (call, { body }) => {
    const { sandbox, request } = call;
    const { journal } = sandbox;
    await journal.catchUp();
    const stop = sandbox.follow();
    const found = await sandbox.waits
      .run((ended) => {
        const signal = AbortSignal.any([request.signal, ended]);
        return wait(journal, body, { timeoutMilliseconds: body.timeout_ms, signal });
      })
      .finally(stop);
    return verifiedReply(journal, body.since, found);
  },
  'report.get': (call) => readJournal(call, () => ok(call.sandbox.judge().report())),
} satisfies Partial<ControlHandlers>;

/** @throws ControlRefusal 409 if the answer depends on evicted requests, or on an unknown one */
function verifiedReply(journal: Journal, since: string | undefined, found: Verified | 'evicted') {
  if (found !== 'evicted') return ok(presentVerified(found, journal));
  throw evicted(journal, since);
}

/** If the journal has dropped nothing, only an unknown `since` leads here. */
const evicted = ({ dropped }: Journal, since = ''): ControlRefusal =>
  new ControlRefusal(
    409,
    dropped === 0
      ? `The journal has no request ${quoted(since)}; use the id of a request that it has, or an ISO 8601 instant`
      : 'The journal has dropped requests that could decide the result; clear the journal before the requests that ' +
          'you check, or set a later `since`',
  );

/** A listener that is further behind is disconnected, and reconnects. More than a whole journal. */
const maxBytesBehind = 33_554_432;
const encoder = new TextEncoder();
const retryFrame = encoder.encode('retry: 1000\n\n');
const missedFrame = encoder.encode('event: missed\ndata: {}\n\n');
/** A comment: keeps proxies from closing the stream, and reveals closed connections. */
const beatFrame = encoder.encode(':\n\n');

/**
 * The live events as server-sent events, after the one in `Last-Event-ID`. Uses `stream` instead of `streamSSE`, which
 * sends no comments.
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
        // Not awaited: the stream queues the frame, and the sandbox never waits for a listener.
        void output.write(frame).then(() => {
          bytesBehind -= frame.length;
        });
        if (bytesBehind > maxBytesBehind) end();
      };
      output.onAbort(end);
      send(retryFrame);
      const listener = {
        onEvent: (event: FeedEvent) => send(event.frame),
        onMissed: () => send(missedFrame),
        onHeartbeat: () => send(beatFrame),
        onEnd: end,
      };
      stop = feed.listen(listener, request.headers.get('last-event-id') ?? undefined);
      // The repeated events may have been too many.
      if (isOver) stop();
    });
  });
}
