// `createSachet`: an engine in process, and the handle for tests. Needs only Web APIs.

import { createEngine } from './app.ts';
import { type Sachet, sachetAt } from './client/sachet.ts';
import { inProcessHost, sandboxName } from './contract/addresses.ts';
import { quoted, ScenariosError } from './contract/file-errors.ts';
import type { Fixtures } from './contract/fixtures.ts';
import { readConfig } from './contract/observations.ts';
import { readScenarios, type Scenario } from './contract/scenarios.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { effectiveFixtures, effectiveScenarios, withoutUndefined } from './shipped.ts';

/**
 * The options of `createSachet`; all have defaults.
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
   * Collections that replace the shipped ones, such as `{ pags: [] }`. Replace those that refer to them too:
   * `{ products: [mine], orders: [], fulfillments: [] }`.
   */
  readonly fixtures?: Partial<Fixtures> | undefined;
  /** Scenarios besides the shipped ones; one of the same name replaces the shipped one. */
  readonly scenarios?: readonly Scenario[] | undefined;
  /** One or more names of scenarios that every sandbox starts with. Default: no scenario. */
  readonly scenario?: string | readonly string[] | undefined;
}

/**
 * Creates a Sachet in this process, without a port: send requests with its `fetch`. `serve` and `connect` return the
 * same handle for a server.
 * @throws FixturesError, ScenariosError and ConfigError for invalid data; UnknownChoiceError, UnknownScenarioError and
 * UnknownInstantError for invalid options
 * @example
 * await using sachet = createSachet();
 * const sandbox = await sachet.createSandbox();
 * await sandbox.switches.set({ rate_limit: { burst: 3 } });
 * const response = await sandbox.fetch('/v2/products'); // 429, Retry-After: 60
 */
export function createSachet(options: SachetOptions = {}): Sachet {
  const { allowedHosts = [] } = options;
  const { adminKey, fetch, close } = engineFor({ ...options, allowedHosts: [...allowedHosts, inProcessHost] });
  return sachetAt({ url: `http://${inProcessHost}`, adminKey, fetch }, async () => close());
}

/** @param platform better implementations that the runtime has, and options that users cannot set */
export function engineFor(
  { fixtures: own, scenarios = [], scenario = [], config, ...options }: SachetOptions,
  platform: Pick<EngineOptions, 'hashes' | 'freezeRecords' | 'hasMemory' | 'onFailure' | 'takesAnyHost' | 'store'> = {},
): Engine {
  const fixtures = effectiveFixtures(own);
  const allScenarios = effectiveScenarios(checkedScenarios(scenarios), fixtures);
  return createEngine({
    ...platform,
    ...withoutUndefined(options),
    fixtures,
    scenarios: allScenarios,
    scenario: [scenario].flat(),
    config: config && readConfig({ name: 'config', content: config }),
  });
}

/**
 * Validates scenarios that a program passes, like files.
 * @throws ScenariosError
 */
function checkedScenarios(scenarios: readonly Scenario[]): Scenario[] {
  const faults = scenarios.map(nameOf).flatMap((name, index) =>
    typeof name === 'string' && sandboxName.test(name)
      ? []
      : [
          {
            file: 'scenarios',
            path: `$[${index}].name`,
            found: quoted(name),
            expected: 'a name such as token-expiry',
          },
        ],
  );
  if (faults.length > 0) throw new ScenariosError(faults);
  return readScenarios(scenarios.map(({ name, ...content }) => ({ name: `${name}.json`, content })));
}

/** Unknown, because plain JavaScript may pass anything. */
const nameOf = (scenario: Partial<Scenario> | null): unknown => scenario?.name;
