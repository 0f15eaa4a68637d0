// What Node does better than what runs everywhere: hashes, a look at the memory, a log on standard error.
import { createHmac, hash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import type { Hashes } from '../domain/hashes.ts';
import type { EngineOptions } from '../engine.ts';
import type { Answered } from '../http/dependencies.ts';
import { StoreFailure } from '../state/store.ts';
import { machineTime } from '../system/time.ts';
import { printable } from './printable.ts';

const clockTime = (): string => new Date(machineTime()).toISOString().slice(11, 23);

function textLine({ method, path, status, milliseconds, sandbox }: Answered): string {
  return `${clockTime()} ${method} ${printable(path)} ${status} ${milliseconds.toFixed(1)} ms${sandbox ? ` ${printable(sandbox)}` : ''}\n`;
}

function jsonLine(answered: Answered): string {
  return `${JSON.stringify({ time: new Date(machineTime()).toISOString(), ...answered })}\n`;
}

export function createLog(format: 'text' | 'json' | 'off'): (answered: Answered) => void {
  if (format === 'off') return () => undefined;
  const line = format === 'json' ? jsonLine : textLine;
  return (answered) => void process.stderr.write(line(answered));
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** No bug: where it was met says nothing. */
const storeWords = ({ message, cause }: StoreFailure): string =>
  cause instanceof Error ? `${message}: ${cause.message}` : message;

/** A bug or a failing store, with the id of the request that met it. */
export function reportFailure(error: unknown, requestId: string): void {
  const text = error instanceof StoreFailure ? storeWords(error) : stackOf(error);
  process.stderr.write(`request ${requestId} failed: ${text}\n`);
}

/** What V8 keeps of the limit for what is young; the rest is what can be held. */
const youngBytes = 50_331_648;
/**
 * The part of the rest that may be in use. V8 collects at the latest halfway between what it found alive and the limit, so where more is in use,
 * more than two thirds of it are alive.
 */
const mostInUse = 0.85;

/**
 * Gives whether there is room. Asking costs a quarter of a microsecond.
 * @param tell is told once, the first time that there is none
 * @param limitBytes of the heap, without what is young
 */
export function roomOf(
  tell: (words: string) => void,
  limitBytes: number = getHeapStatistics().heap_size_limit - youngBytes,
): () => boolean {
  let isTold = false;
  return () => {
    const { used_heap_size } = getHeapStatistics();
    if (used_heap_size < mostInUse * limitBytes) return true;
    if (!isTold) tell(`the heap is full (${used_heap_size} bytes): what adds to it is refused with 500 while it is`);
    isTold = true;
    return false;
  };
}

/** The platform's hash functions, several times faster than the pure ones. */
export const nodeHashes: Hashes = {
  sha256: (text) => hash('sha256', text, 'buffer'),
  hmac: (key, text) => createHmac('sha256', key).update(text).digest(),
};

/** Records are not frozen: that is for tests of the house, and costs an order some microseconds. */
export const platform: Pick<EngineOptions, 'hashes' | 'freezeRecords' | 'hasMemory' | 'onFailure'> = {
  hashes: nodeHashes,
  freezeRecords: false,
  hasMemory: roomOf((words) => void process.stderr.write(`${words}\n`)),
  onFailure: reportFailure,
};
