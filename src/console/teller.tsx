// Tells one page what happened since it was last told, now and then. `{"changed"}` says what a page may want to look at again, `{"rows"}` are
// rows of the list of requests as HTML, newest first, with how many more there was no room for.
import type { Entry } from '../control/journal/entry.ts';
import type { FeedEvent, Listener } from '../control/listeners.ts';
import { after } from '../control/timeout.ts';
import type { Happening } from './pages.ts';
import { type Filter, filterOf, isShown } from './requests/filter.ts';
import { RequestRow } from './requests/row.tsx';
import type { Visit } from './visit.ts';

/** Rows that a line brings at most: a reader sees no more, and a burst of thousands costs no more. */
const maxRows = 100;
/** Between two lines, in milliseconds. */
const pauseMilliseconds = 100;
/** Bytes that a reader may be behind; then it is told later. */
const maxBytesBehind = 1_048_576;
const encoder = new TextEncoder();
const nothing = { changed: [] };

/** Made once, however many pages show it. */
const madeRows = new WeakMap<Entry, string>();

function rowOf(entry: Entry, sandbox: string): string {
  const made = madeRows.get(entry) ?? String(<RequestRow entry={entry} sandbox={sandbox} />);
  madeRows.set(entry, made);
  return made;
}

export class Teller implements Listener {
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #sandbox: string;
  readonly #filter: Filter | undefined;
  #entries: Entry[] = [];
  #leftOut = 0;
  #happened = new Set<Happening>();
  #isWaiting = false;
  /** What ends the listening. */
  #ends: readonly (() => void)[] = [];
  #isOver = false;
  /** Whether what happened waits for the reader. */
  #isBehind = false;

  /** The first line says that the page is heard. */
  constructor(controller: ReadableStreamDefaultController<Uint8Array>, { sandbox, query }: Visit) {
    this.#controller = controller;
    this.#sandbox = sandbox.name;
    this.#filter = query.has('rows') ? filterOf(query) : undefined;
    this.#say(nothing);
    const ends = [sandbox.feed.listen(this), sandbox.journal.onCleared(() => this.note('cleared'))];
    if (this.#isOver) for (const end of ends) end();
    else this.#ends = ends;
  }

  readonly tell = ({ entry }: FeedEvent): void => {
    if (entry && this.#filter && isShown(entry, this.#filter)) this.#keep(entry);
    this.note(entry ? 'request' : 'state');
  };

  /** Nothing is asked for again: a page that comes back looks anew. */
  readonly missed = (): void => undefined;

  readonly beat = (): void => this.#say(nothing);

  readonly end = (): void => {
    if (this.#isOver) return;
    this.leave();
    this.#controller.close();
  };

  /** The reader has gone. */
  leave(): void {
    this.#isOver = true;
    for (const end of this.#ends) end();
  }

  /** Something happened: it is told soon, with what else happens until then. */
  note(happening: Happening): void {
    this.#happened.add(happening);
    if (happening === 'cleared') [this.#entries, this.#leftOut] = [[], 0];
    this.#wait();
  }

  /** The reader has taken all there was. */
  asked(): void {
    if (this.#isBehind) this.#tellAll();
  }

  #keep(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length <= maxRows) return;
    this.#entries.shift();
    this.#leftOut += 1;
  }

  #wait(): void {
    if (this.#isWaiting || this.#isBehind || this.#isOver) return;
    this.#isWaiting = true;
    after(pauseMilliseconds, () => {
      this.#isWaiting = false;
      this.#tellAll();
    });
  }

  #tellAll(): void {
    if (this.#isOver) return;
    this.#isBehind = (this.#controller.desiredSize ?? 0) < -maxBytesBehind;
    if (this.#isBehind) return;
    const rows = this.#entries.reverse().map((entry) => rowOf(entry, this.#sandbox));
    const brought = rows.length > 0 && { rows: rows.join(''), count: rows.length, left_out: this.#leftOut };
    this.#say({ changed: [...this.#happened], ...brought });
    [this.#entries, this.#leftOut, this.#happened] = [[], 0, new Set()];
  }

  #say(line: object): void {
    if (!this.#isOver) this.#controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
  }
}
