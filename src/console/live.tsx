// What happens in a sandbox, as lines of JSON in an answer that does not end: `{"rows"}` are new rows of the list of requests as HTML, newest
// first, and how many there was no room for; `{"changed"}` says what a page may want to look at again.
import type { FeedEvent } from '../control/feed.ts';
import type { Entry } from '../control/journal/entry.ts';
import { after } from '../control/timeout.ts';
import type { Happening } from './pages.ts';
import { filterOf, isShown } from './requests/filter.ts';
import { RequestRow } from './requests/row.tsx';
import type { Visit } from './visit.ts';

/** Rows that a line brings at most: a reader sees no more, and a burst of thousands costs no more. */
const maxRows = 100;
/** Between two lines, in milliseconds. */
const pause = 100;
/** Bytes that a reader may be behind, before rows are left out. */
const maxBytesBehind = 1_048_576;
const encoder = new TextEncoder();

export async function live(visit: Visit): Promise<Response> {
  let stop = () => undefined as unknown;
  const lines = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const teller = new Teller(controller, visit);
        stop = visit.sandbox.feed.listen(teller);
        teller.begin(() => stop());
      },
      cancel: () => void stop(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  const headers = { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(lines, { headers: { ...headers, 'x-content-type-options': 'nosniff' } });
}

/** Tells one page, now and then, what happened since. */
class Teller {
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #visit: Visit;
  readonly #filter: ReturnType<typeof filterOf>;
  readonly #wantsRows: boolean;
  #entries: Entry[] = [];
  #leftOut = 0;
  #happened = new Set<Happening>();
  #isWaiting = false;
  #isOver = false;
  #stop = () => undefined as unknown;

  constructor(controller: ReadableStreamDefaultController<Uint8Array>, visit: Visit) {
    this.#controller = controller;
    this.#visit = visit;
    this.#filter = filterOf(visit.query);
    this.#wantsRows = visit.query.has('rows');
  }

  /** The first line says that the page is heard. */
  begin(stop: () => unknown): void {
    this.#stop = stop;
    this.#say({ changed: [] });
    if (this.#isOver) stop();
  }

  readonly tell = ({ type, entry }: FeedEvent): void => {
    this.#happened.add(type === 'request' ? 'request' : 'state');
    if (entry && this.#wantsRows && isShown(entry, this.#filter)) this.#keep(entry);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    after(pause, () => this.#flush());
  };

  readonly missed = (): void => undefined;

  readonly end = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop();
    this.#controller.close();
  };

  #keep(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length <= maxRows) return;
    this.#entries.shift();
    this.#leftOut += 1;
  }

  #flush(): void {
    this.#isWaiting = false;
    if (this.#isOver) return;
    const [entries, leftOut, changed] = [this.#entries, this.#leftOut, [...this.#happened]];
    if (-(this.#controller.desiredSize ?? 0) > maxBytesBehind) {
      this.#leftOut += entries.length;
      this.#entries = [];
      return;
    }
    [this.#entries, this.#leftOut, this.#happened] = [[], 0, new Set()];
    const rows = entries
      .reverse()
      .map((entry) => String(<RequestRow entry={entry} sandbox={this.#visit.sandbox.name} />));
    this.#say({ changed, ...(rows.length > 0 && { rows: rows.join(''), count: rows.length, left_out: leftOut }) });
  }

  #say(line: object): void {
    if (!this.#isOver) this.#controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
  }
}
