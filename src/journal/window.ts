// Which entries of a journal are asked for: by a filter, or as the window that a verify looks at.
import type { Match } from '../contract/control/match.ts';
import type { DeepReadonly } from '../contract/records.ts';
import { parseInstant } from '../contract/records.ts';
import { type Entry, factsOf } from './entry.ts';
import { matches } from './match.ts';

/** Without anything, all. */
export interface Filter extends DeepReadonly<Omit<Match, 'body'>> {
  /** The id of an entry, for those after it; or an ISO 8601 instant of the sandbox's clock, for those received then or later. */
  readonly since?: string | undefined;
  /** The id of an entry, for those after it. */
  readonly after?: string | undefined;
  /** How many, the oldest first. */
  readonly limit?: number | undefined;
}

/** The entries of a journal. */
interface Entries {
  get(id: string): Entry | undefined;
  from(sequence: number): Iterable<Entry>;
}

/** The entries asked for, oldest first. After an id that is not kept there is all that is. */
export function filtered(ring: Entries, filter: Filter): Entry[] {
  const { since, after, limit = Number.POSITIVE_INFINITY, ...match } = filter;
  const instant = since === undefined ? undefined : parseInstant(since);
  const found: Entry[] = [];
  for (const entry of ring.from(Math.max(sequenceAfter(ring, since), sequenceAfter(ring, after)))) {
    const isIn = instant === undefined || entry.receivedAt >= instant;
    if (isIn && matches(match, factsOf(entry))) found.push(entry);
    if (found.length >= limit) break;
  }
  return found;
}

const sequenceAfter = (ring: Entries, id: string | undefined): number =>
  id === undefined ? 0 : (ring.get(id)?.sequence ?? -1) + 1;

/** What was evicted since the last clear. */
export interface Evicted {
  readonly count: number;
  /** The latest receipt among it: the sandbox's clock may run backwards. */
  readonly until: number;
}

/** Entries that are still kept, oldest first, and how many more there may have been. */
export interface Window {
  readonly entries: readonly Entry[];
  readonly evicted: number;
}

/**
 * All since an entry or an instant, else since the last clear; undefined for an id that is not kept. What was evicted counts whole
 * where any of it may belong to the window: when each of it came is not kept.
 */
export function windowOf(ring: Entries, since: string | undefined, evicted: Evicted): Window | undefined {
  const entries = filtered(ring, { since });
  if (since === undefined) return { entries, evicted: evicted.count };
  const instant = parseInstant(since);
  if (instant === undefined) return ring.get(since) && { entries, evicted: 0 };
  return { entries, evicted: evicted.until >= instant ? evicted.count : 0 };
}
