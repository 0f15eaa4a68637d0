// How much memory a server holds over the time of a load.
import { setTimeout as sleep } from 'node:timers/promises';
import { sized } from './figure.ts';
import type { StressedServer } from './server.ts';

/** So often garbage is collected: by itself a server that makes little of it collects too seldom to judge by. */
const collectMilliseconds = sized(10_000, 1000);

interface Sample {
  /** Since the process began. */
  readonly at: number;
  readonly bytes: number;
}

/** The means of two thirds of the time. */
interface Thirds {
  readonly middle: number;
  readonly last: number;
  /** How many samples they are made of. */
  readonly samples: number;
}

export interface Course {
  /** After collections of garbage. */
  readonly heap: Thirds;
  readonly resident: Thirds;
}

interface Watched {
  readonly from: number;
  readonly to: number;
  readonly heap: readonly Sample[];
  readonly resident: readonly Sample[];
}

/** Looks at the resident memory ten times a second until it is ended, and now and then at the heap. */
export function watched(server: StressedServer): { ended(): Promise<Watched> } {
  const began = Date.now() - server.ageMilliseconds();
  const from = server.ageMilliseconds();
  const [heap, resident]: [Sample[], Sample[]] = [[], []];
  const over = new AbortController();
  const watching = (async () => {
    let collected = Date.now();
    while (!over.signal.aborted) {
      resident.push({ at: Date.now() - began, bytes: server.residentBytes() });
      if (Date.now() - collected >= collectMilliseconds) {
        collected = Date.now();
        heap.push({ at: collected - began, bytes: (await server.probe()).heapBytes });
      }
      await sleep(100, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  return {
    async ended() {
      over.abort();
      await watching;
      return { from, to: Date.now() - began, heap, resident };
    },
  };
}

/** The course of the memory, by what was watched. */
export function courseOf({ from, to, heap, resident }: Watched): Course {
  const third = (to - from) / 3;
  const thirdsOf = (samples: readonly Sample[]): Thirds => {
    const middle = samples.filter(({ at }) => at >= from + third && at < from + 2 * third);
    const last = samples.filter(({ at }) => at >= from + 2 * third && at < to);
    return { middle: mean(middle), last: mean(last), samples: middle.length + last.length };
  };
  return { heap: thirdsOf(heap), resident: thirdsOf(resident) };
}

const mean = (samples: readonly Sample[]): number =>
  samples.reduce((sum, { bytes }) => sum + bytes, 0) / Math.max(samples.length, 1);
