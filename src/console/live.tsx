// Tells one page what happens in its sandbox, in lines of JSON. `{"changed"}` names what a page may want to fetch again; `{"rows"}` holds
// rows of the list of requests as HTML, newest first, with how many more there were.
import { stream } from 'hono/streaming';
import type { FeedEvent, Listener } from '../control/feed.ts';
import type { Entry } from '../control/journal/entry.ts';
import { after } from '../control/timeout.ts';
import { type Filter, filterOf, isShown, RequestRow } from './pages/requests.tsx';
import type { Happening } from './pages.ts';
import { fragmentHeaders, rendered } from './parts/page.tsx';
import type { Visit } from './visit.ts';

/** Maximum rows in a line: a reader sees no more, and a burst of thousands costs no more. */
const maxRows = 100;
/** Between two lines, in milliseconds. */
const pauseMilliseconds = 100;

/** Streams lines until the sandbox or the server ends, or the page goes. With `rows` in the query, they bring the requests that pass its filter. */
export async function live(visit: Visit): Promise<Response> {
  const { context, request, sandbox } = visit;
  context.header('Content-Type', 'application/x-ndjson; charset=utf-8');
  context.header('Cache-Control', fragmentHeaders['cache-control']);
  if (request.method === 'HEAD') return context.body(null);
  sandbox.feed.requireRoom();
  return stream(context, (output) => {
    return new Promise<void>((resolve) => {
      const updates = new LiveUpdates(visit, (line) => output.write(line), resolve);
      output.onAbort(updates.end);
      updates.start();
    });
  });
}

/** Rendered once for all pages that show it. */
const renderedRows = new WeakMap<Entry, string>();

function rowOf(entry: Entry, sandbox: string): string {
  const row = renderedRows.get(entry) ?? rendered(sandbox, <RequestRow entry={entry} />);
  renderedRows.set(entry, row);
  return row;
}

class LiveUpdates implements Listener {
  readonly #visit: Visit;
  readonly #filter: Filter | undefined;
  /** Resolves when the page has read the line. */
  readonly #write: (line: string) => Promise<unknown>;
  readonly #ended: () => void;
  #stops: readonly (() => void)[] = [];
  #entries: Entry[] = [];
  #leftOut = 0;
  #happened = new Set<Happening>();
  /** True from the moment a line is due until it is read. What happens meanwhile is in the next line. */
  #isSending = false;
  #isOver = false;

  constructor(visit: Visit, write: (line: string) => Promise<unknown>, ended: () => void) {
    this.#visit = visit;
    this.#filter = visit.query.has('rows') ? filterOf(visit.query) : undefined;
    this.#write = write;
    this.#ended = ended;
  }

  /** Listens. The first line tells the page that it is connected. */
  start(): void {
    const { feed, journal } = this.#visit.sandbox;
    this.beat();
    this.#stops = [feed.listen(this), journal.onCleared(() => this.#note('cleared'))];
    if (this.#isOver) this.#stop();
  }

  readonly tell = ({ entry }: FeedEvent): void => {
    if (entry && this.#filter && isShown(entry, this.#filter)) this.#keep(entry);
    this.#note(entry ? 'request' : 'state');
  };

  /** Nothing to repeat: a page that reconnects fetches its content again. */
  readonly missed = (): void => undefined;

  /** A line in which nothing happened: shows which pages are gone. */
  readonly beat = (): void => void this.#write('{"changed":[]}\n');

  readonly end = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop();
    this.#ended();
  };

  #stop(): void {
    for (const stop of this.#stops) stop();
  }

  #note(happening: Happening): void {
    this.#happened.add(happening);
    if (happening === 'cleared') [this.#entries, this.#leftOut] = [[], 0];
    this.#sendSoon();
  }

  #keep(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length <= maxRows) return;
    this.#entries.shift();
    this.#leftOut += 1;
  }

  #sendSoon(): void {
    if (this.#isSending || this.#isOver) return;
    this.#isSending = true;
    after(pauseMilliseconds, () => void this.#send());
  }

  async #send(): Promise<void> {
    if (this.#isOver) return;
    await this.#write(this.#nextLine());
    this.#isSending = false;
    if (this.#happened.size > 0) this.#sendSoon();
  }

  /** What happened since the last line. */
  #nextLine(): string {
    const rows = this.#entries.reverse().map((entry) => rowOf(entry, this.#visit.sandbox.name));
    const added = rows.length > 0 && { rows: rows.join(''), count: rows.length, left_out: this.#leftOut };
    const line = `${JSON.stringify({ changed: [...this.#happened], ...added })}\n`;
    [this.#entries, this.#leftOut, this.#happened] = [[], 0, new Set()];
    return line;
  }
}
