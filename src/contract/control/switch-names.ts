// The names of the switches, the phase of each, and their path. The schemas are in switches.ts: without loading them
// the server starts faster.
import type { CollectionName } from '../records.ts';

/** Relative to the sandbox's address in the control API. */
export const switchesPath = '/switches';

/**
 * When an override is applied: maintenance and rate limits before the route is known, faults after it, the rest when
 * they are needed. In the order of the documentation.
 */
export const phaseOf = {
  token_expiry: 'token_expiry',
  rate_limit: 'rate_limit',
  inactive_pags: 'inactive_pags',
  label_expiry: 'label_expiry',
  // Kept with the faults, but applied when permissions are checked.
  missing_permission: 'fault',
  server_error: 'fault',
  latency: 'fault',
  connection: 'fault',
  maintenance: 'maintenance',
  fault: 'fault',
} as const;

/** A switch, or a fault of the tester's own. */
export type OverrideKind = keyof typeof phaseOf;
export type OverridePhase = (typeof phaseOf)[OverrideKind];
export type SwitchName = Exclude<OverrideKind, 'fault'>;
export const switchNames = Object.keys(phaseOf).filter((kind) => kind !== 'fault') as SwitchName[];

/** Settings that are ids of records, with their collection: an unknown id is refused with 422. */
export const idSettings: Partial<Record<SwitchName, Readonly<Record<string, CollectionName>>>> = {
  inactive_pags: { ids: 'pags' },
};
