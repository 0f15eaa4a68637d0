// The stream of one open page: what happens in its sandbox, as lines of JSON. `changed` lists the kinds of events since
// the last line; `rows` has new rows for the list of requests as HTML, newest first, `count` how many, and `left_out`
// how many more there were.
import { stream } from 'hono/streaming';
import type { Entry } from '../journal/entry.ts';
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
  let stopListening = (): void => undefined;

  const takeLine = (): string => {
    const rows = entries.reverse().map((entry) => renderRow(entry, name));
    const added = rows.length > 0 && { rows: rows.join(''), count: rows.length, left_out: leftOut };
    const line = `${JSON.stringify({ changed: [...changed], ...added })}\n`;
    [entries, leftOut, changed] = [[], 0, new Set()];
    return line;
  };
  const sendAll = async (): Promise<void> => {
    isSending = true;
    while (changed.size > 0) {
      await new Promise<void>((resolve) => after(pauseMilliseconds, resolve));
      if (isOver) return;
      await write(takeLine());
    }
    isSending = false;
  };
  const addEvent = (event: SandboxEvent, entry?: Entry): void => {
    changed.add(event);
    if (event === 'cleared') [entries, leftOut] = [[], 0];
    if (entry && filter && matchesFilter(entry, filter) && entries.push(entry) > maxRows) {
      entries.shift();
      leftOut += 1;
    }
    if (!isSending) void sendAll();
  };
  const beat = () => void write('{"changed":[]}\n');
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    stopListening();
    stopClearing();
    onEnd();
  };
  // The first line tells the page that it is connected.
  beat();
  const stopClearing = journal.listen({ cleared: () => addEvent('cleared') });
  stopListening = feed.listen({
    onEvent: ({ entry }) => addEvent(entry ? 'request' : 'state', entry),
    // A page that reconnects fetches its content again.
    onMissed: () => undefined,
    // Also detects clients that have gone away.
    onHeartbeat: beat,
    onEnd: end,
  });
  return end;
}
