// The names of the switches, and when each is applied. Without their schemas, which a start of the server must not load.

/**
 * When an override is applied: maintenance and rate limits before the route is known, faults after it, the rest when
 * they are needed. In the order of the documentation.
 */
export const phaseOf = {
  token_expiry: 'token_expiry',
  rate_limit: 'rate_limit',
  inactive_pags: 'inactive_pags',
  label_expiry: 'label_expiry',
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
