// The requests of a sandbox as they come, over server-sent events; after a broken connection from where it broke.

import { setTimeout as pause } from 'node:timers/promises';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import { eventOperations, requestOperations, requestShown } from '../contract/admin/requests.ts';
import { ask, type Remote, StrangeAnswerError, UnreachableError } from './ask.ts';
import { visible } from './visible.ts';

// An entry of the journal as the command reads and prints it.

/** What the command needs of an entry; it holds more. */
const journalEntry = z.looseObject({
  ...requestShown.pick({ id: true, received_at: true, completed: true, method: true, path: true, rules: true }).shape,
  ...requestShown.pick({ status: true, duration_ms: true }).shape,
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
  return visible([received_at, method, path, status ?? '-', rules.join(',') || '-', duration, ...why].join(' '));
}

const needsWhy = (status: number | null, faults: readonly string[]): boolean =>
  status === null || status >= 400 || faults.length > 0;

/** No entry of the journal is that long; what has no end must not fill the memory. */
const maxEventCharacters = 16_777_216;
const firstPauseMilliseconds = 1000;
const longestPauseMilliseconds = 15_000;

export class LiveRequests {
  readonly #remote: Remote;
  readonly #signal: AbortSignal;
  readonly #tell: (sentence: string) => void;
  #lastEventId = '';
  #pauseMilliseconds = firstPauseMilliseconds;

  /** `tell` is called with what became of the connection. */
  constructor(remote: Remote, signal: AbortSignal, tell: (sentence: string) => void) {
    this.#remote = remote;
    this.#signal = signal;
    this.#tell = tell;
  }

  /**
   * Connects, and gives the requests from then on; they end when the signal is aborted.
   * @throws as `ask`; the requests throw when a later connection is refused.
   */
  async open(): Promise<AsyncIterable<JournalEntry>> {
    return this.#entries(await this.#connect());
  }

  async *#entries(first: Response): AsyncGenerator<JournalEntry> {
    for (let response: Response | undefined = first; response; response = await this.#again()) {
      try {
        yield* this.#read(response);
      } catch (error) {
        if (error instanceof StrangeAnswerError) throw error;
      }
      if (this.#signal.aborted) return;
      this.#tell('the connection broke; trying again');
    }
  }

  #connect(): Promise<Response> {
    const from = this.#lastEventId === '' ? {} : { 'last-event-id': this.#lastEventId };
    return ask(this.#remote, eventOperations['events.follow'], {
      headers: { accept: 'text/event-stream', ...from },
      signal: this.#signal,
    });
  }

  /** The next connection, however long it takes; undefined when nobody waits for it any more. */
  async #again(): Promise<Response | undefined> {
    for (
      let wait = this.#pauseMilliseconds;
      !this.#signal.aborted;
      wait = Math.min(2 * wait, longestPauseMilliseconds)
    ) {
      try {
        await pause(wait, undefined, { signal: this.#signal });
        return await this.#connect();
      } catch (error) {
        if (!this.#signal.aborted && !(error instanceof UnreachableError)) throw error;
      }
    }
    return undefined;
  }

  async *#read({ body, headers }: Response): AsyncGenerator<JournalEntry> {
    if (!body || !headers.get('content-type')?.startsWith('text/event-stream'))
      throw new StrangeAnswerError(this.#remote.url);
    const onRetry = (milliseconds: number) => {
      this.#pauseMilliseconds = Math.min(milliseconds, longestPauseMilliseconds);
    };
    const parser = new EventSourceParserStream({ onRetry, maxBufferSize: maxEventCharacters });
    for await (const { id, event, data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(parser)) {
      if (event === 'request') yield this.#parsed(data);
      if (event === 'missed') this.#tell('some requests came while there was no connection, and are not shown');
      this.#lastEventId = id ?? this.#lastEventId;
    }
  }

  #parsed(data: string): JournalEntry {
    try {
      return journalEntry.parse(JSON.parse(data));
    } catch {
      throw new StrangeAnswerError(this.#remote.url);
    }
  }
}

// The journal of a sandbox of a running server, as it is now.

export interface JournalSoFar {
  readonly requests: readonly JournalEntry[];
  /** How many earlier ones it no longer has. */
  readonly dropped: number;
}

/** @throws as `ask`, and StrangeAnswerError. */
export async function journalSoFar(remote: Remote): Promise<JournalSoFar> {
  const response = await ask(remote, requestOperations['requests.list']);
  const body: unknown = await response.json().catch(() => undefined);
  const { data } = journalList.safeParse(body);
  if (data) return data;
  throw new StrangeAnswerError(remote.url);
}
