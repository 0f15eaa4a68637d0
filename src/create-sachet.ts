// A Sachet in process: an engine, and the handle that a test holds it by. Runs wherever Web APIs run.

import { createEngine } from './app.ts';
import { type Sachet, sachetAt } from './client/sachet.ts';
import type { Fixtures } from './contract/fixtures.ts';
import type { Scenario } from './contract/scenarios.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { checkedScenarios, effectiveFixtures, effectiveScenarios, given } from './shipped.ts';

/**
 * What a Sachet is made with; everything has a default.
 * @example const options: SachetOptions = { clock: '2026-01-01T00:00:00Z', assumptions: { next_cursor: 'meta' } };
 */
export interface SachetOptions
  extends Omit<
    EngineOptions,
    | 'fixtures'
    | 'scenarios'
    | 'scenario'
    | 'store'
    | 'freezeRecords'
    | 'hashes'
    | 'onCompleted'
    | 'takesAnyHost'
    | 'hasMemory'
  > {
  /**
   * Collections that stand in place of the shipped ones, such as `{ pags: [] }`; what sandboxes are born from. Records that name what is gone
   * must go, too: `{ products: [mine], orders: [], fulfillments: [] }`.
   */
  readonly fixtures?: Partial<Fixtures> | undefined;
  /** Scenarios beside the shipped ones; one of the same name stands in its place. */
  readonly scenarios?: readonly Scenario[] | undefined;
  /** The name of a scenario that every sandbox begins with, or several. Default: none. */
  readonly scenario?: string | readonly string[] | undefined;
}

/** A name that no machine has (RFC 6761), so that a client that goes past `fetch` fails, and says where it went. */
const inProcess = 'sachet.invalid';

/**
 * Makes a Sachet in this process, without a port: `fetch` answers. Everything else is as with a server, which `serve` starts and
 * `connect` reaches.
 * @throws FixturesError and ScenariosError for data that is not sound; UnknownChoiceError, UnknownScenarioError and
 * UnknownInstantError for an option that there is none of.
 * @example
 * await using sachet = createSachet();
 * const sandbox = await sachet.createSandbox();
 * await sandbox.switches.set({ rate_limit: { burst: 3 } });
 * const response = await sandbox.fetch('/v2/products'); // 429, Retry-After: 60
 */
export function createSachet(options: SachetOptions = {}): Sachet {
  const { allowedHosts = [] } = options;
  const { adminKey, fetch, close } = engineFor({ ...options, allowedHosts: [...allowedHosts, inProcess] });
  return sachetAt({ url: `http://${inProcess}`, adminKey, fetch }, async () => close());
}

/** The engine of these options. `platform` is what the place it runs in does better. */
export function engineFor(
  { fixtures: own, scenarios = [], scenario = [], ...options }: SachetOptions,
  platform: Pick<EngineOptions, 'hashes' | 'freezeRecords' | 'hasMemory' | 'onFailure' | 'takesAnyHost' | 'store'> = {},
): Engine {
  const fixtures = effectiveFixtures(own);
  const offered = effectiveScenarios(checkedScenarios(scenarios), fixtures);
  return createEngine({ ...platform, ...given(options), fixtures, scenarios: offered, scenario: [scenario].flat() });
}
