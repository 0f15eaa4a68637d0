// The composition root, where the layers meet. An engine answers requests; it has no port and no handle to control it.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bareUrl } from './contract/addresses.ts';
import { bounds } from './contract/control/bounds.ts';
import { requireKey } from './contract/control/control-operation.ts';
import type { Fixtures } from './contract/fixtures.ts';
import { resolveChoices } from './contract/resolved-assumptions.ts';
import { type Hashes, hex, utf8 } from './domain/hashes.ts';
import type { Engine, EngineOptions } from './engine.ts';
import { createApp } from './http/app.ts';
import { CallLimit } from './http/call-limit.ts';
import type { Dependencies } from './http/dependencies.ts';
import { Documents } from './http/docs/documents.ts';
import { guards } from './http/guards.ts';
import { fetchInProcess } from './http/in-process.ts';
import { protectingHeaders } from './http/response.ts';
import { Tokens } from './http/tokens.ts';
import { JournalBudget } from './journal/journal.ts';
import { type RegistryOptions, Sandboxes } from './sandbox/sandboxes.ts';
import { chooseScenarios, requireFit } from './sandbox/scenarios.ts';
import { readClock } from './state/clock.ts';
import { persistenceOver } from './state/persistence.ts';
import { deepFreeze, noFreeze, seedOf } from './state/state.ts';
import { StoreFailure } from './state/store.ts';
import { randomSecret } from './system/random.ts';
import { version } from './version.ts';

const pureHashes: Hashes = {
  sha256: (text) => sha256(utf8(text)),
  hmac: (key, text) => hmac(sha256, key, utf8(text)),
};

/**
 * Creates an engine.
 * @throws UnknownChoiceError for an unknown assumption, choice or profile; UnknownInstantError for a clock that is not
 * an instant; UnknownScenarioError for a scenario that is not among the scenarios
 */
export function createEngine(options: EngineOptions): Engine {
  const { adminKey = randomSecret() } = options;
  requireKey(adminKey);
  return engineOf(dependenciesOf({ ...options, adminKey }), adminKey);
}

/** The dependencies of the HTTP layer.  */
export function dependenciesOf(given: EngineOptions & { readonly adminKey: string }): Dependencies {
  const options = { ...given, fixtures: configuredFixtures(given) };
  const { hashes = pureHashes, adminKey, publicUrl, loginSandboxes = true, debugHeaders = true } = options;
  const {
    store,
    log = () => undefined,
    onFailure = throwBugs,
    allowedHosts = [],
    takesAnyHost = false,
    hasMemory = () => true,
  } = options;
  const sandboxes = new Sandboxes(registryOptions(options, hashes));
  return {
    sandboxes,
    tokens: new Tokens(),
    hashes,
    version,
    health: () => {
      if (sandboxes.isClosed) return { status: 'draining', version };
      const why = store?.problem();
      return why === undefined ? { status: 'ok', version } : { status: 'degraded', version, why };
    },
    documents: new Documents(
      async () => (await import('./examples.ts')).examplesOf(options.fixtures, createEngine),
      version,
    ),
    sampleRefusal: async (...request) => (await import('./examples.ts')).sampleRefusalOf(options.fixtures, ...request),
    publicUrl: publicUrl === undefined ? undefined : bareUrl(publicUrl),
    loginSandboxes,
    showFixtures: loginSandboxes && (options.showFixtures ?? true),
    debugHeaders,
    adminKeyHash: hex(hashes.sha256(adminKey)),
    allowedHosts: hostsOf(allowedHosts, publicUrl),
    takesAnyHost,
    wrongClaims: new CallLimit(bounds.wrongClaims),
    guestCalls: new CallLimit(bounds.guestCalls),
    hasMemory,
    guards,
    headers: protectingHeaders,
    config: options.config,
    scenarios: new Map(options.scenarios?.map((scenario) => [scenario.name, scenario])),
    log,
    onCompleted: options.onCompleted,
    onFailure,
  };
}

/** With the values of `time_of_administration` that the service named. */
function configuredFixtures({ fixtures, config }: EngineOptions): Fixtures {
  const values = config?.facts?.administration_times;
  return values ? { ...fixtures, administration_times: { values } } : fixtures;
}

export function engineOf(deps: Dependencies, adminKey: string): Engine {
  const { sandboxes } = deps;
  // Loads the console and MCP with their first request: most servers never get one.
  const app = createApp(deps, (app) => ({
    console: async () => {
      const { createConsole } = await import('./console/app.tsx');
      return createConsole({ deps, fetch: fetchInProcess(app, { isByConsole: true }) });
    },
    mcp: async () => (await import('./mcp/server.ts')).mcpOverHttp(fetchInProcess(app), version),
  }));
  return { fetch: fetchInProcess(app), app, sandboxes, adminKey, close: () => sandboxes.close() };
}

/** @throws ScenariosError if the initial scenarios cannot be applied one after the other */
function registryOptions(options: EngineOptions, hashes: Hashes): RegistryOptions {
  const { fixtures, store, freezeRecords = true, maxSandboxes = 1000, maxRecords = 1_000_000 } = options;
  const recordOptions = { freeze: freezeRecords ? deepFreeze : noFreeze, maxRecords };
  const scenarios = chooseScenarios(options.scenarios, options.scenario);
  requireFit(scenarios, { fixtures, together: true, recordOptions });
  return {
    persistence: store && persistenceOver(store, recordOptions, hashes),
    seed: seedOf(fixtures, recordOptions.freeze),
    randomSeed: options.randomSeed?.toString(),
    hashes,
    choices: resolveChoices(options.assumptions, options.profile, options.config?.assumptions),
    clock: readClock(options.clock),
    scenarios,
    recordOptions,
    budget: new JournalBudget(),
    maxSandboxes,
    onFailure: options.onFailure ?? throwBugs,
  };
}

const hostsOf = (hosts: readonly string[], publicUrl: string | undefined): string[] =>
  [...hosts, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])].map((host) => host.toLowerCase());

/** In process a bug must fail the test that found it. A store failure is not a bug. */
function throwBugs(error: unknown): void {
  if (!(error instanceof StoreFailure)) throw error;
}
