// What a new sandbox is told, with its words; a test of types keeps it equal to what the control API takes.
import type { ProfileName, Readings } from '../contract/assumptions.ts';
import type { Fixtures } from '../contract/fixtures.ts';

/**
 * What a new sandbox is told, in the names of the wire; all may be left out.
 * @example const options: NewSandboxOptions = { name: 'w7', clock: '2026-01-01T00:00:00Z', scenario: 'token-expiry' };
 */
export interface NewSandboxOptions {
  /** Lower-case letters, digits, `.`, `_`, `-`; at most 63, the first a letter or digit. Default: one is made. */
  readonly name?: string | undefined;
  /** A token of one environment is not valid in another. Default: `stage`. */
  readonly environment?: string | undefined;
  /** The same seed, frozen clock and calls give the same bytes. Default: the server's, else one that nobody can guess. */
  readonly random_seed?: string | undefined;
  /** An ISO 8601 instant to stand at, with a `+` at its end to run on from; null for real time. Default: as the server's. */
  readonly clock?: string | null | undefined;
  /** Real seconds without use after which it is gone. Default: it stays. */
  readonly ttl_seconds?: number | undefined;
  /** Readings that differ from the server's; null for the default, `profile` for a named set beneath them. */
  readonly assumptions?:
    | ({ readonly [Id in keyof Readings]?: Readings[Id] | null | undefined } & {
        readonly profile?: ProfileName | undefined;
      })
    | undefined;
  /** The name of a scenario to begin with; a reset goes back to it. Default: the server's. */
  readonly scenario?: string | undefined;
  /** Collections that stand in place of the server's, such as `{ pags: [] }`. */
  readonly fixtures?: Partial<Fixtures> | undefined;
  /** true: a key is made that controls this sandbox alone, told as `key`. Or the key itself, 16 to 200 visible ASCII characters. */
  readonly own_key?: true | string | undefined;
}
