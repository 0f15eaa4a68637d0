// Steady load: memory stays flat, the server opens no connection, and one sandbox does not slow down another.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { logIn, run } from '../support/command.ts';
import { isTimed, type Load, loadFaults, sendLoad } from './load.ts';
import { format, ifAny, isShort, mebibytes, percent, report, sized } from './row.ts';
import { adminKey, type StressServer, startServer } from './server.ts';
import { strace, straceMissing } from './strace.ts';

test('soak', async (context) => {
  const [seconds, perSecond, every, heapMebibytes] = [sized(600, 10), sized(500, 200), sized(10_000, 500), 192];
  const most = { heap: sized(1.05, 1.3), resident: sized(1.1, 1.3) };
  const trace = strace(connecting);
  const nodeFlags = [`--max-old-space-size=${heapMebibytes}`];
  const server = await startServer({ under: trace?.command ?? [], nodeFlags });
  const stopWatching = watchMemory(server);
  const reset = { every, path: '/_admin/sandboxes/stage/reset', key: adminKey };
  const load = await sendLoad(server, { perSecond, seconds, reset });
  const { heap, resident } = await stopWatching();
  await server.stop();
  const growth = ({ middle, last }: typeof heap) =>
    `${mebibytes(middle)} → ${mebibytes(last)} MiB (${percent(last / middle)})`;
  report(context, {
    name: 'soak',
    load: `Soak: ${format(seconds)} s at a fixed rate of ${perSecond} requests/s; 9 of 10 are reads, the others orders; ${load.resets} resets, one per ${format(every)} answers; heap limit ${heapMebibytes} MiB; journal and log on`,
    expected: `no unexplained 5xx, no rejected request, the rate is kept; between the middle and the last third of the time, the heap after garbage collection grows by at most ${format((most.heap - 1) * 100)} %, the resident memory by at most ${format((most.resident - 1) * 100)} %`,
    measured: `${format(load.sent)} requests (${format(load.late)} sent late), ${format(load.rate, 1)} answers/s, p50 ${format(load.p50, 1)}, p99 ${format(load.p99, 1)}, max ${format(load.max)} ms; ${load.explained} × 5xx during a reset; heap ${growth(heap)} over ${heap.samples} collections, resident ${growth(resident)}`,
    faults: {
      ...loadFaults(load),
      'too few resets': load.resets < Math.floor((perSecond * seconds) / every) - 1,
      ...ifAny({ 'standard error has': server.unexpectedLines() }),
      'the rate was not kept': isTimed(load) && load.rate < perSecond * sized(0.99, 0.7),
      'too few garbage collections to judge': heap.samples < sized(6, 2),
      'the heap grows': heap.last > heap.middle * most.heap,
      'the resident memory grows': resident.last > resident.middle * most.resident,
    },
  });
  const egress = {
    name: 'egress',
    load: 'The same server under strace, in all threads, from start to end: system calls that open a connection or send a datagram',
    expected: '0 system calls of this kind',
  } as const;
  if (!trace) return report(context, { ...egress, skipped: straceMissing });
  expect(await familiesOfControlProcess()).toEqual(['AF_INET', 'AF_UNIX']);
  const opened = connectionsIn(trace.text());
  report(context, {
    ...egress,
    measured: `${opened.length} during ${format(load.sent)} requests; the control process, which does connect, was detected`,
    faults: ifAny({ seen: opened }),
  });
});

type Sample = { readonly at: number; readonly bytes: number };

/** Samples the memory until it is stopped: resident ten times a second, the heap after garbage collections. */
function watchMemory(server: StressServer) {
  const collectEvery = sized(100, 5);
  const begin = Date.now();
  const samples = { heap: [] as Sample[], resident: [] as Sample[] };
  const stop = new AbortController();
  const watching = (async () => {
    for (let count = 1; !stop.signal.aborted; count += 1) {
      samples.resident.push({ at: Date.now(), bytes: server.residentBytes() });
      if (count % collectEvery === 0) samples.heap.push({ at: Date.now(), bytes: (await server.probe()).heapBytes });
      await sleep(100, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stop.abort();
    await watching;
    const third = (Date.now() - begin) / 3;
    return { heap: thirdsOf(samples.heap, begin, third), resident: thirdsOf(samples.resident, begin, third) };
  };
}

/** The means of the second and the last third of the time. */
function thirdsOf(all: readonly Sample[], begin: number, third: number) {
  const mean = (samples: readonly Sample[]) =>
    samples.reduce((sum, { bytes }) => sum + bytes, 0) / Math.max(samples.length, 1);
  const middle = all.filter(({ at }) => at >= begin + third && at < begin + 2 * third);
  const last = all.filter(({ at }) => at >= begin + 2 * third);
  return { middle: mean(middle), last: mean(last), samples: middle.length + last.length };
}

const connecting = ['connect', 'sendto', 'sendmsg', 'sendmmsg'];

/** Netlink sockets lead to the kernel only. */
const connectionsIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => connecting.some((name) => line.includes(` ${name}(`)) && !line.includes('AF_NETLINK'));

/** The address families that are seen when a process connects to a port and to a Unix socket. */
async function familiesOfControlProcess(): Promise<string[]> {
  const code = `const { connect } = require('node:net');
    for (const socket of [connect(1, '127.0.0.1'), connect('/nonexistent')]) socket.on('error', () => undefined);`;
  const trace = strace(connecting);
  const [command = '', ...args] = [...(trace?.command ?? []), process.execPath, '-e', code];
  await run(command, args).ended();
  const families = connectionsIn(trace?.text() ?? '').map((line) => /sa_family=(\w+)/.exec(line)?.[1] ?? line);
  return [...new Set(families)].sort();
}

test('neighbors', async (context) => {
  const [rounds, seconds, rate] = [sized(6, 1), sized(20, 3), sized(50, 20)];
  // A short round has too few requests for a higher percentile, on a server that has just started.
  const [percentile, most] = isShort ? (['p50', 20] as const) : (['p99', 2] as const);
  const { url, ready } = await startServer();
  const [first, second] = [await logIn(ready, 'demo+a'), await logIn(ready, 'demo+b')];
  const small = () => sendLoad({ url, token: first }, { perSecond: rate, seconds, warmUpSeconds: 1 });
  const both = async () => {
    const large = sendLoad({ url, token: second }, { perSecond: 10 * rate, seconds: seconds + 3 });
    // The start of a load generator takes time, too.
    await sleep(1000);
    return Promise.all([small(), large]);
  };
  if (!isShort) await both();
  const [alone, together, large] = [[] as Load[], [] as Load[], [] as Load[]];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await small());
    const [mine, other] = await both();
    together.push(mine);
    large.push(other);
  }
  const loads = [...alone, ...together, ...large];
  const sorted = (some: readonly Load[]) => some.map((load) => load[percentile]).sort((one, other) => one - other);
  const median = (some: readonly Load[]) => sorted(some)[some.length >> 1] ?? Number.NaN;
  const spread = (some: readonly Load[]) => {
    const [least, most] = [sorted(some)[0] ?? 0, sorted(some).at(-1) ?? 0];
    return `${percentile} ${format(median(some), 1)} ms (${format(least, 1)} to ${format(most, 1)})`;
  };
  const ratio = median(together) / median(alone);
  report(context, {
    name: 'neighbors',
    load: `Two sandboxes of one server, the first at ${rate} requests/s, the second at ${10 * rate}; ${rounds} rounds: ${seconds} s the first alone, then ${seconds} s both`,
    expected: `the first one's ${percentile} at most ${isShort ? `${most} times as high` : 'doubles'} (median of the rounds)`,
    measured: `${spread(alone)} alone, ${spread(together)} together: ${format(ratio, 2)} times as high`,
    faults: {
      ...Object.assign({}, ...loads.map(loadFaults)),
      [`the ${percentile} rises too much`]: isTimed(...loads) && ratio > most,
    },
  });
});
