// A lever as the state holds it: one switch or fault that is on, and what became of it so far.
import type { DeepReadonly } from '../records.ts';
import type { Fault } from './faults.ts';
import type { SwitchName } from './switch-names.ts';
import type { SwitchSettings } from './switches.ts';

export type OverrideKind = SwitchName | 'fault';
type SettingsByKind = DeepReadonly<SwitchSettings & { fault: Fault }>;
export type SettingsOf<Kind extends OverrideKind> = SettingsByKind[Kind];

/** When a lever's turn comes (product.md, "Switches"): the first two before the route is known, the faults after it, the rest where they are asked for. */
export type Turn = 'maintenance' | 'rate_limit' | 'fault' | 'token_expiry' | 'inactive_pags' | 'label_expiry';

/** A window of a rate limit: when it began, by the sandbox's clock in milliseconds, and the calls in it. */
export interface RateWindow {
  readonly began_at: number;
  readonly calls: number;
}

/** The turn of each kind. */
export const turnOf = {
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
} as const satisfies Record<OverrideKind, Turn>;

interface OverrideState {
  /** The row's own: the name, and the scenario behind an `@`. */
  readonly id: string;
  /** What the control API calls it: the switch's name, or the fault's id. */
  readonly name: string;
  readonly turn: Turn;
  /** The scenario that set it. */
  readonly scenario: string | null;
  /** Under a later setting of the same switch. */
  readonly hidden: boolean;
  /** Sandbox time in milliseconds. */
  readonly made_at: number;
  /** Matching calls so far; counted only where it lets some pass first. */
  readonly seen: number;
  /** Calls it met. */
  readonly hits: number;
  /** How often its dice were rolled. */
  readonly rolls: number;
  readonly window: RateWindow | null;
  /** What was issued in a generation before this one is expired for the calls it matches. */
  readonly generation: number | null;
}

export type OverrideOf<Kind extends OverrideKind> = OverrideState & {
  readonly kind: Kind;
  readonly settings: SettingsOf<Kind>;
};
export type Override = { [Kind in OverrideKind]: OverrideOf<Kind> }[OverrideKind];
