// One line per answered call, on standard error: standard output belongs to the banner or the ready record.
import { machineTime } from '../control/clock.ts';
import type { Answered } from '../http/edge.ts';
import { StoreFailure } from '../state/store.ts';
import { visible } from './visible.ts';

const clockTime = (): string => new Date(machineTime()).toISOString().slice(11, 23);

function textLine({ method, path, status, milliseconds, sandbox }: Answered): string {
  return `${clockTime()} ${method} ${visible(path)} ${status} ${milliseconds.toFixed(1)} ms${sandbox ? ` ${visible(sandbox)}` : ''}\n`;
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
