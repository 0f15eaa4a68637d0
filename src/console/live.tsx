// Tells one page what happens in its sandbox, in lines of JSON. `{"changed"}` names what a page may want to fetch again; `{"rows"}` holds
// rows of the list of requests as HTML, newest first, with how many more there were.
import { stream } from 'hono/streaming';
import type { Entry } from '../journal/entry.ts';
import type { FeedEvent, Listener } from '../journal/live-events.ts';
import { after } from '../system/time.ts';
import { filterOf, isShown, RequestRow } from './pages/requests.tsx';
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
      output.onAbort(tellUpdates(visit, (line) => output.write(line), resolve));
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

/**
 * Listens from now on, and gives what ends that.
 * @param write resolves when the page has read the line
 */
function tellUpdates(
  { sandbox: { name, feed, journal }, query }: Visit,
  write: (line: string) => Promise<unknown>,
  ended: () => void,
): () => void {
  const filter = query.has('rows') ? filterOf(query) : undefined;
  let entries: Entry[] = [];
  let leftOut = 0;
  let happened = new Set<Happening>();
  /** True from the moment a line is due until it is read. What happens meanwhile is in the next line. */
  let isSending = false;
  let isOver = false;
  let stops: readonly (() => void)[] = [];

  const keep = (entry: Entry): void => {
    entries.push(entry);
    if (entries.length <= maxRows) return;
    entries.shift();
    leftOut += 1;
  };
  /** What happened since the last line. */
  const nextLine = (): string => {
    const rows = entries.reverse().map((entry) => rowOf(entry, name));
    const added = rows.length > 0 && { rows: rows.join(''), count: rows.length, left_out: leftOut };
    const line = `${JSON.stringify({ changed: [...happened], ...added })}\n`;
    [entries, leftOut, happened] = [[], 0, new Set()];
    return line;
  };
  const send = async (): Promise<void> => {
    if (isOver) return;
    await write(nextLine());
    isSending = false;
    if (happened.size > 0) sendSoon();
  };
  const sendSoon = (): void => {
    if (isSending || isOver) return;
    isSending = true;
    after(pauseMilliseconds, () => void send());
  };
  const note = (happening: Happening): void => {
    happened.add(happening);
    if (happening === 'cleared') [entries, leftOut] = [[], 0];
    sendSoon();
  };
  const stop = (): void => {
    for (const one of stops) one();
  };
  const listener: Listener = {
    tell: ({ entry }: FeedEvent) => {
      if (entry && filter && isShown(entry, filter)) keep(entry);
      note(entry ? 'request' : 'state');
    },
    // Nothing to repeat: a page that reconnects fetches its content again.
    missed: () => undefined,
    // A line in which nothing happened: shows which pages are gone.
    beat: () => void write('{"changed":[]}\n'),
    end: () => {
      if (isOver) return;
      isOver = true;
      stop();
      ended();
    },
  };
  // The first line tells the page that it is connected.
  listener.beat();
  stops = [feed.listen(listener), journal.onCleared(() => note('cleared'))];
  if (isOver) stop();
  return listener.end;
}
