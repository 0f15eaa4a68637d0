// What Node adds to the engine: fast hashes, a check of the heap, a log and error reports on standard error.
import { createHmac, hash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import type { Hashes } from '../domain/hashes.ts';
import type { EngineOptions } from '../engine.ts';
import type { Answered } from '../http/dependencies.ts';
import { StoreFailure } from '../state/store.ts';
import { machineTime } from '../system/time.ts';
import { callLine, hasColors } from './call-line.ts';

/** The real time, as ISO 8601. */
export const now = (): string => new Date(machineTime()).toISOString();

const textLine = (answered: Answered): string =>
  `${callLine({ ...answered, time: now().slice(11, 23) }, hasColors(process.stderr))}\n`;

const jsonLine = (answered: Answered): string => `${JSON.stringify({ time: now(), ...answered })}\n`;

/** Logs one line per call on standard error. */
export function createLog(format: 'text' | 'json' | 'off'): (answered: Answered) => void {
  if (format === 'off') return () => undefined;
  const line = format === 'json' ? jsonLine : textLine;
  return (answered) => void process.stderr.write(line(answered));
}

/** Reports a bug with its stack. A store failure is not a bug, so its stack is left out. */
export function reportFailure(error: unknown, requestId: string): void {
  process.stderr.write(`request ${requestId} failed: ${describeFailure(error)}\n`);
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof StoreFailure)) return error.stack ?? error.message;
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** The part of the heap limit that V8 reserves for young objects. */
const youngBytes = 50_331_648;
/**
 * The share of the rest that may be in use. V8 collects at the latest halfway between what it found alive and the
 * limit, so above this share more than two thirds are alive.
 */
const maxUsedShare = 0.85;

/**
 * Returns a function that checks whether the heap has room. The check costs a quarter of a microsecond.
 * @param notify is called once, the first time that the heap is full
 * @param limitBytes of the heap, without young objects
 */
export function createHeapCheck(
  notify: (line: string) => void,
  limitBytes: number = getHeapStatistics().heap_size_limit - youngBytes,
): () => boolean {
  let isNotified = false;
  return () => {
    const { used_heap_size } = getHeapStatistics();
    if (used_heap_size < maxUsedShare * limitBytes) return true;
    if (!isNotified)
      notify(`the heap is full (${used_heap_size} bytes): requests that need more memory get 500 until there is room`);
    isNotified = true;
    return false;
  };
}

/** Several times faster than the pure ones. */
export const nodeHashes: Hashes = {
  sha256: (text) => hash('sha256', text, 'buffer'),
  hmac: (key, text) => createHmac('sha256', key).update(text).digest(),
};

/** Records are not frozen: that finds bugs in tests, and would cost an order some microseconds. */
export const platform: Pick<EngineOptions, 'hashes' | 'freezeRecords' | 'hasMemory' | 'onFailure'> = {
  hashes: nodeHashes,
  freezeRecords: false,
  hasMemory: createHeapCheck((line) => void process.stderr.write(`${line}\n`)),
  onFailure: reportFailure,
};
