// The requests of a sandbox as they come, over server-sent events; after a broken connection from where it broke.

import { setTimeout as pause } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import { eventOperations, requestOperations, requestSchema } from '../contract/control/requests.ts';
import { ask, askFor, type Remote, StrangeAnswerError, UnreachableError } from './ask.ts';
import { printable } from './printable.ts';

// An entry of the journal as the command reads and prints it.

/** What the command needs of an entry; it holds more. */
const journalEntry = z.looseObject({
  ...requestSchema.pick({ id: true, received_at: true, completed: true, method: true, path: true, rules: true }).shape,
  ...requestSchema.pick({ status: true, duration_ms: true }).shape,
  decision: z.looseObject({ sentence: z.string(), faults: z.array(z.string()) }).nullable(),
});
export type JournalEntry = z.output<typeof journalEntry>;

/** GET …/requests. */
const journalList = z.looseObject({ requests: z.array(journalEntry), dropped: z.int() });

type Told = Pick<JournalEntry, 'received_at' | 'method' | 'path' | 'status' | 'duration_ms'> & {
  readonly rules: readonly string[];
  readonly decision: { readonly sentence: string; readonly faults: readonly string[] } | null;
};

/** One line; for a refusal, an answer that was never given, and a call that a fault met, with why. */
export function entryLine({ received_at, method, path, status, rules, duration_ms, decision }: Told): string {
  const why = decision && needsWhy(status, decision.faults) ? [decision.sentence] : [];
  const duration = duration_ms === null ? '-' : `${duration_ms.toFixed(1)} ms`;
  return printable([received_at, method, path, status ?? '-', rules.join(',') || '-', duration, ...why].join(' '));
}

const needsWhy = (status: number | null, faults: readonly string[]): boolean =>
  status === null || status >= 400 || faults.length > 0;

/** No entry of the journal is that long; what has no end must not fill the memory. */
const maxEventCharacters = 16_777_216;
const firstPauseMilliseconds = 1000;
const longestPauseMilliseconds = 15_000;

/**
 * Connects, and gives the requests from then on; they end when the signal is aborted.
 * @param tell is called with what became of the connection
 * @throws as `ask`; the requests throw when a later connection is refused
 */
export async function followRequests(
  remote: Remote,
  signal: AbortSignal,
  tell: (sentence: string) => void,
): Promise<AsyncIterable<JournalEntry>> {
  let lastEventId = '';
  let pauseMilliseconds = firstPauseMilliseconds;

  const connect = (): Promise<Response> => {
    const from = lastEventId === '' ? {} : { 'last-event-id': lastEventId };
    const headers = { accept: 'text/event-stream', ...from };
    return ask(remote, eventOperations['events.follow'], { headers, signal });
  };

  /** The next connection, however long it takes; undefined when nobody waits for it any more. */
  async function again(): Promise<Response | undefined> {
    for (let wait = pauseMilliseconds; !signal.aborted; wait = Math.min(2 * wait, longestPauseMilliseconds)) {
      try {
        await pause(wait, undefined, { signal });
        return await connect();
      } catch (error) {
        if (!signal.aborted && !(error instanceof UnreachableError)) throw error;
      }
    }
    return undefined;
  }

  async function* read({ body, headers }: Response): AsyncGenerator<JournalEntry> {
    if (!body || !headers.get('content-type')?.startsWith('text/event-stream'))
      throw new StrangeAnswerError(remote.url);
    const onRetry = (milliseconds: number) => {
      pauseMilliseconds = Math.min(milliseconds, longestPauseMilliseconds);
    };
    const parser = new EventSourceParserStream({ onRetry, maxBufferSize: maxEventCharacters });
    for await (const { id, event, data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(parser)) {
      if (event === 'request') yield parsed(data, remote);
      if (event === 'missed') tell('some requests came while there was no connection, and are not shown');
      lastEventId = id ?? lastEventId;
    }
  }

  async function* entries(first: Response): AsyncGenerator<JournalEntry> {
    for (let response: Response | undefined = first; response; response = await again()) {
      try {
        yield* read(response);
      } catch (error) {
        if (error instanceof StrangeAnswerError) throw error;
      }
      if (signal.aborted) return;
      tell('the connection broke; trying again');
    }
  }

  return entries(await connect());
}

function parsed(data: string, { url }: Remote): JournalEntry {
  try {
    return journalEntry.parse(JSON.parse(data));
  } catch {
    throw new StrangeAnswerError(url);
  }
}

// The journal of a sandbox of a running server, as it is now.

/** With how many earlier ones it no longer has. @throws as `askFor` */
export const journalSoFar = (remote: Remote) => askFor(journalList, remote, requestOperations['requests.list']);
