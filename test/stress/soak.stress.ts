// A long steady load on a small heap: memory stays flat, nothing is refused that should not be, and no connection is opened.
import { expect, test } from 'vitest';
import { connectionsIn, positiveControl, traced } from './egress.ts';
import { faultsOf, firstOf, mebibytes, ofTime, shown, sized, tell } from './figure.ts';
import { type Course, courseOf, watched } from './memory.ts';
import { type Load, loadFaults, offerLoad } from './offered-load.ts';
import { type StressedServer, startStressed, wordsBesideLog } from './server.ts';

const seconds = sized(600, 20);
const perSecond = 500;
const every = sized(10_000, 1000);
const heapMebibytes = 192;
/** How much more the last third may hold than the middle one; in the short form code is still compiled. */
const most = { heap: sized(0.05, 0.1), resident: 0.1 };

test('a soak', { ...ofTime, timeout: 1_200_000 }, async (context) => {
  const trace = traced();
  const server = await startStressed({
    under: trace?.command ?? [],
    nodeFlags: [`--max-old-space-size=${heapMebibytes}`],
  });
  const { url, token, adminKey: key } = server;
  const watch = watched(server);
  const reset = { every, url: `${url}/_admin/sandboxes/stage/reset`, key };
  const load = await offerLoad({ url, token, perSecond, seconds, reset });
  const course = courseOf(await watch.ended());
  await server.stop();
  tellSoak(context, load, course, server);
  await tellEgress(context, load, trace);
});

type Context = Parameters<typeof tell>[0];

function tellSoak(context: Context, load: Load, { heap, resident }: Course, server: StressedServer): void {
  const { perSecond: rate, explained, p50, p99, max, late, sent, resets } = load;
  tell(context, {
    row: 'soak',
    done: `Soak: ${shown(seconds)} s at a fixed rate of ${perSecond} requests/s; 9 of 10 are reads, the others orders; ${resets} resets, one per ${shown(every)} answers; heap limit ${heapMebibytes} MiB; journal and log on`,
    wanted: `no unexplained 5xx, no rejected request, the rate is kept; between the middle and the last third of the time, the heap after garbage collection grows by at most ${shown(most.heap * 100)} %, the resident memory by at most ${shown(most.resident * 100)} %`,
    measured: `${shown(sent)} requests (${shown(late)} sent late), ${shown(rate, 1)} answers/s, p50 ${shown(p50, 1)}, p99 ${shown(p99, 1)}, max ${shown(max)} ms; ${explained} × 5xx during a reset; heap ${growth(heap)} over ${heap.samples} collections, resident ${growth(resident)}`,
    faults: faultsOf({
      ...loadFaults(load),
      'too few resets': resets < Math.floor((perSecond * seconds) / every) - 1,
      [`standard error has ${firstOf(wordsBesideLog(server))}`]: wordsBesideLog(server).length > 0,
    }),
    // What leaks grows each time.
    ofMachine: faultsOf({
      'the rate was not kept': rate < perSecond * sized(0.99, 0.9),
      'too few garbage collections to judge': heap.samples < 6,
      'the heap grows': heap.last > heap.middle * (1 + most.heap),
      'the resident memory grows': resident.last > resident.middle * (1 + most.resident),
    }),
  });
}

const growth = ({ middle, last }: Course['heap']): string =>
  `${mebibytes(middle)} → ${mebibytes(last)} MiB (${shown((last / middle - 1) * 100, 1)} %)`;

async function tellEgress(context: Context, { sent }: Load, trace: ReturnType<typeof traced>): Promise<void> {
  const done = `The same server under strace, in all threads, from start to end: system calls that open a connection or send a datagram`;
  const row = { row: 'egress', done, wanted: '0 system calls of this kind' } as const;
  if (!trace) return tell(context, { ...row, measured: '', faults: [], skipped: 'strace cannot trace a process here' });
  expect(await positiveControl()).toEqual(['AF_INET', 'AF_UNIX']);
  const opened = connectionsIn(trace.text());
  tell(context, {
    ...row,
    measured: `${opened.length} during ${shown(sent)} requests; the control process, which does connect, was detected`,
    faults: faultsOf({ [`seen: ${firstOf(opened)}`]: opened.length > 0 }),
  });
}
