// How much memory a server holds over the time of a load.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '../support/command.ts';
import type { Tortured } from './server.ts';

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
  /** After major collections. */
  readonly heap: Thirds;
  readonly resident: Thirds;
}

interface Watched {
  readonly from: number;
  readonly to: number;
  readonly resident: readonly Sample[];
}

/** Looks at the resident memory ten times a second until it is ended. */
export function watched(server: Tortured): { ended(): Promise<Watched> } {
  const began = Date.now() - server.ageMilliseconds();
  const from = server.ageMilliseconds();
  const resident: Sample[] = [];
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      resident.push({ at: Date.now() - began, bytes: server.residentBytes() });
      await sleep(100, undefined, { signal: over.signal }).catch(() => undefined);
    }
  })();
  return {
    async ended() {
      over.abort();
      await watching;
      return { from, to: Date.now() - began, resident };
    },
  };
}

/** `[pid:isolate]  1234 ms: Mark-Compact 60.1 (90.2) -> 40.1 (80.0) MB, …` */
const majorCollection = /^\[\d+:0x[\da-f]+\]\s+(\d+) ms: Mark-\S+ (?:\(\S+\) )?[\d.]+ \([\d.]+\) -> ([\d.]+) \(/gm;

/** The course of the memory, by the lines of `--trace-gc` and what was watched. */
export function courseOf({ stdout }: Pick<Running, 'stdout'>, { from, to, resident }: Watched): Course {
  const heap = Array.from(stdout.matchAll(majorCollection), ([, at, mebibytes]) => ({
    at: Number(at),
    bytes: Number(mebibytes) * 1_048_576,
  }));
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
