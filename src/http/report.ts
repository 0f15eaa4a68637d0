// The log's line of an answered call.
import { stopwatch } from '../control/clock.ts';
import type { Arrival } from './arrival.ts';
import type { Edge } from './edge.ts';

/** @param started when the call came, by the stopwatch */
export function report(
  edge: Edge,
  arrival: Arrival,
  started: number,
  status: number,
  sandbox: string | undefined,
): void {
  const { request, path } = arrival;
  edge.log({ method: request.method, path, status, milliseconds: stopwatch() - started, sandbox });
}
