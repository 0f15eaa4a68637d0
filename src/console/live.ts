// The stream of one open page, as lines of JSON: `changed` lists the kinds of events since the last line, `count` is
// the number of new requests that pass the filter in the query.
import { stream } from 'hono/streaming';
import type { Entry } from '../journal/entry.ts';
import { pause } from '../system/time.ts';
import type { ConsoleRequest } from './console-request.ts';
import type { SandboxEvent } from './page-addresses.ts';
import { filterOf, matchesFilter } from './pages/requests.tsx';
import { fragmentHeaders } from './parts/layout.tsx';

/** The pause between two lines, in milliseconds. */
const pauseMilliseconds = 100;

/** Streams until the sandbox or the connection ends. */
export async function live(request: ConsoleRequest): Promise<Response> {
  const { context, sandbox } = request;
  context.header('Content-Type', 'application/x-ndjson; charset=utf-8');
  context.header('Cache-Control', fragmentHeaders['cache-control']);
  if (request.request.method === 'HEAD') return context.body(null);
  sandbox.feed.requireRoom();
  return stream(context, (output) => {
    return new Promise<void>((resolve) => {
      output.onAbort(sendUpdates(request, (line) => output.write(`${JSON.stringify(line)}\n`), resolve));
    });
  });
}

type Line = { readonly changed: readonly SandboxEvent[]; readonly count?: number };

/**
 * @param write resolves when the client has taken the line
 * @param onEnd called once when the updates end
 * @returns a function that ends them
 */
function sendUpdates(
  { sandbox: { feed, journal }, query }: ConsoleRequest,
  write: (line: Line) => Promise<unknown>,
  onEnd: () => void,
): () => void {
  const filter = filterOf(query);
  let changed = new Set<SandboxEvent>();
  let count = 0;
  /** True from the moment a line is scheduled until the client has taken it. Events meanwhile go into the next line. */
  let isSending = false;
  let isOver = false;
  let stopListening = (): void => undefined;

  const sendAll = async (): Promise<void> => {
    isSending = true;
    while (changed.size > 0) {
      await pause(pauseMilliseconds);
      if (isOver) return;
      const line = { changed: [...changed], count };
      [changed, count] = [new Set(), 0];
      await write(line);
    }
    isSending = false;
  };
  const addEvent = (event: SandboxEvent, entry?: Entry): void => {
    changed.add(event);
    if (event === 'cleared') count = 0;
    if (entry && matchesFilter(entry, filter)) count += 1;
    if (!isSending) void sendAll();
  };
  const beat = () => void write({ changed: [] });
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    stopListening();
    stopClearing();
    onEnd();
  };
  // The first line shows the page that it is connected.
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
