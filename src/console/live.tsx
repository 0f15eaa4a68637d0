// The stream of one open page: what happens in its sandbox, as lines of JSON. `changed` lists the kinds of events since
// the last line; `rows` has new rows for the list of requests as HTML, newest first, `count` how many, and `left_out`
// how many more there were.
import { stream } from 'hono/streaming';
import type { Entry } from '../journal/entry.ts';
import type { Listener } from '../journal/live-events.ts';
import { after } from '../system/time.ts';
import type { ConsoleRequest } from './console-request.ts';
import { filterOf, matchesFilter, RequestRow } from './pages/requests.tsx';
import type { SandboxEvent } from './pages.ts';
import { fragmentHeaders, renderFragment } from './parts/layout.tsx';

/** The rows of one line at most: a page shows no more, so a burst of thousands costs no more. */
const maxRows = 100;
/** The pause between two lines, in milliseconds. */
const pauseMilliseconds = 100;

/** Streams until the sandbox or the connection ends. With `rows` in the query, sends requests that pass its filter. */
export async function live(request: ConsoleRequest): Promise<Response> {
  const { context, sandbox } = request;
  context.header('Content-Type', 'application/x-ndjson; charset=utf-8');
  context.header('Cache-Control', fragmentHeaders['cache-control']);
  if (request.request.method === 'HEAD') return context.body(null);
  sandbox.feed.requireRoom();
  return stream(context, (output) => {
    return new Promise<void>((resolve) => {
      output.onAbort(sendUpdates(request, (line) => output.write(line), resolve));
    });
  });
}

/** Each row is rendered once for all pages that show it. */
const renderedRows = new WeakMap<Entry, string>();

function renderRow(entry: Entry, sandbox: string): string {
  const row = renderedRows.get(entry) ?? renderFragment(sandbox, <RequestRow entry={entry} />);
  renderedRows.set(entry, row);
  return row;
}

/**
 * @param write resolves when the client has taken the line
 * @param onEnd called once when the updates end
 * @returns a function that ends them
 */
function sendUpdates(
  { sandbox: { name, feed, journal }, query }: ConsoleRequest,
  write: (line: string) => Promise<unknown>,
  onEnd: () => void,
): () => void {
  const filter = query.has('rows') ? filterOf(query) : undefined;
  let entries: Entry[] = [];
  let leftOut = 0;
  let changed = new Set<SandboxEvent>();
  /** True from the moment a line is scheduled until the client has taken it. Events meanwhile go into the next line. */
  let isSending = false;
  let isOver = false;
  let unsubscribers: readonly (() => void)[] = [];

  const takeLine = (): string => {
    const rows = entries.reverse().map((entry) => renderRow(entry, name));
    const added = rows.length > 0 && { rows: rows.join(''), count: rows.length, left_out: leftOut };
    const line = `${JSON.stringify({ changed: [...changed], ...added })}\n`;
    [entries, leftOut, changed] = [[], 0, new Set()];
    return line;
  };
  const send = async (): Promise<void> => {
    if (isOver) return;
    await write(takeLine());
    isSending = false;
    if (changed.size > 0) scheduleSend();
  };
  const scheduleSend = (): void => {
    if (isSending || isOver) return;
    isSending = true;
    after(pauseMilliseconds, () => void send());
  };
  const addEntry = (entry: Entry): void => {
    if (!filter || !matchesFilter(entry, filter)) return;
    entries.push(entry);
    if (entries.length <= maxRows) return;
    entries.shift();
    leftOut += 1;
  };
  const addEvent = (event: SandboxEvent): void => {
    changed.add(event);
    if (event === 'cleared') [entries, leftOut] = [[], 0];
    scheduleSend();
  };
  const unsubscribe = (): void => {
    for (const stop of unsubscribers) stop();
  };
  const listener: Listener = {
    tell: ({ entry }) => {
      if (entry) addEntry(entry);
      addEvent(entry ? 'request' : 'state');
    },
    // A page that reconnects fetches its content again.
    missed: () => undefined,
    // Also detects clients that have gone away.
    beat: () => void write('{"changed":[]}\n'),
    end: () => {
      if (isOver) return;
      isOver = true;
      unsubscribe();
      onEnd();
    },
  };
  // The first line tells the page that it is connected.
  listener.beat();
  unsubscribers = [feed.listen(listener), journal.onCleared(() => addEvent('cleared'))];
  if (isOver) unsubscribe();
  return listener.end;
}
