// The composition root: the one place where the layers meet. It answers requests, without a port and without a handle to control it by.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Fetch } from './client/control-client.ts';
import { bareUrl } from './contract/addresses.ts';
import { requireKey } from './contract/admin/key.ts';
import type { ProfileName, Readings } from './contract/assumptions.ts';
import { chooseScenarios } from './contract/choose-scenarios.ts';
import type { Fixtures } from './contract/fixtures.ts';
import { chooseReadings } from './contract/readings.ts';
import type { Scenario } from './contract/scenarios.ts';
import { readClock } from './control/clock.ts';
import { randomSecret } from './control/ids.ts';
import { JournalBudget } from './control/journal/budget.ts';
import { type Making, Sandboxes } from './control/sandboxes.ts';
import { requireFit } from './control/scenario-fit.ts';
import { type Hashes, hex, utf8 } from './domain/hashes.ts';
import { createApp } from './http/app.ts';
import { asFetched } from './http/broken.ts';
import type { Answered } from './http/edge.ts';
import { Health } from './http/health.ts';
import { Tokens } from './http/tokens.ts';
import { birthOf } from './state/birth.ts';
import { deepFreeze, noFreeze } from './state/freeze.ts';
import { createMemoryStore } from './state/memory.ts';
import type { Awaitable, Store } from './state/store.ts';
import { StoreFailure } from './state/store-failure.ts';
import { version } from './version.ts';

/** What an engine is made of; all but the fixtures have defaults. */
export interface EngineOptions {
  /** What every sandbox is born from. */
  readonly fixtures: Fixtures;
  /** The scenarios that can be applied. Default: none. */
  readonly scenarios?: readonly Scenario[];
  /** Names of scenarios that every sandbox begins with. Default: none. */
  readonly scenario?: readonly string[];
  /** Single readings that differ from the profile's, such as `{ next_cursor: 'meta' }`. */
  readonly assumptions?: Partial<Readings>;
  /** A named set of readings. Default: `default`. */
  readonly profile?: ProfileName;
  /** Where the sandboxes' clocks start: an ISO 8601 instant to stand at, with a `+` at its end to run on from. Default: real time. */
  readonly clock?: string;
  /** The same seed gives the same ids and keys. Default: every sandbox has one that nobody can guess. */
  readonly randomSeed?: string;
  /** The absolute URL that answers name instead of the request's own origin. */
  readonly publicUrl?: string;
  /** Whether a login with `user+tag` makes the sandbox `tag`. Default: true. */
  readonly loginSandboxes?: boolean;
  /** The key of the control API. Default: 32 random bytes, told as `adminKey`. */
  readonly adminKey?: string;
  /** Host names under which the control API answers, besides those of loopback and the public URL's. Default: none. */
  readonly allowedHosts?: readonly string[];
  /** How many sandboxes there may be; then the longest-unused one made by login goes. Default: 1000. */
  readonly maxSandboxes?: number;
  /** How many records a collection of a sandbox may have. Default: 1,000,000. */
  readonly maxRecords?: number;
  /** Whether answers carry the `Sandbox-…` headers. Default: true. */
  readonly debugHeaders?: boolean;
  /** Where state is kept. Default: in memory. */
  readonly store?: Store;
  /** Freezes every record deeply, so that a write to shared data fails loudly. Default: true; a server turns it off for speed. */
  readonly freezeRecords?: boolean;
  /** SHA-256 and HMAC of the platform, where they are faster than the default. */
  readonly hashes?: Hashes;
  /** Called once per answered call, but for /health. */
  readonly log?: (answered: Answered) => void;
  /** Told of bugs and store failures; the caller gets the service's 500. Default: a bug is thrown, so that fetch rejects. */
  readonly onFailure?: (error: unknown, requestId: string) => void;
}

/** What answers requests. */
export interface Engine {
  /** Answers as the server would over a port; takes what the global fetch takes, with an absolute URL. */
  readonly fetch: Fetch;
  /**
   * The same for a server: answers at once where nothing has to be waited for. An answer whose connection breaks is told by
   * `breaksAt`.
   */
  readonly answer: (request: Request) => Awaitable<Response>;
  readonly sandboxes: Sandboxes;
  /** The key of the control API. */
  readonly adminKey: string;
  /** Ends delayed calls, waits and event streams. From now on /health is 503: whoever sends calls here shall stop. */
  readonly close: () => void;
}

const pureHashes: Hashes = {
  sha256: (text) => sha256(utf8(text)),
  hmac: (key, text) => hmac(sha256, key, utf8(text)),
};

/**
 * Composes an engine.
 * @throws UnknownReadingError for an assumption, reading or profile that the register does not have; UnknownInstantError for a clock that
 * is no instant; UnknownScenarioError for a scenario that is not among the scenarios.
 */
export function createEngine(options: EngineOptions): Engine {
  const {
    hashes = pureHashes,
    adminKey = randomSecret(),
    publicUrl,
    loginSandboxes = true,
    debugHeaders = true,
  } = options;
  const { log = () => undefined, onFailure = throwBugs, allowedHosts = [] } = options;
  requireKey(adminKey);
  const health = new Health(version);
  const sandboxes = new Sandboxes(makingOf(options, hashes));
  const app = createApp({
    sandboxes,
    tokens: new Tokens(),
    hashes,
    version,
    health,
    publicUrl: publicUrl === undefined ? undefined : bareUrl(publicUrl),
    loginSandboxes,
    debugHeaders,
    adminKeyHash: hex(hashes.sha256(adminKey)),
    allowedHosts: hostsOf(allowedHosts, publicUrl),
    scenarios: new Map(options.scenarios?.map((scenario) => [scenario.name, scenario])),
    log,
    onFailure,
  });
  const answer = (request: Request) => app.fetch(request);
  const fetch = async (input: Request | URL | string, init?: RequestInit) => {
    const request = input instanceof Request && !init ? input : new Request(input, init);
    request.signal.throwIfAborted();
    const answered = await answer(request);
    request.signal.throwIfAborted();
    return Object.defineProperty(asFetched(request, answered), 'url', { value: request.url });
  };
  const close = () => {
    health.drain();
    sandboxes.close();
  };
  return { fetch, answer, sandboxes, adminKey, close };
}

/** What the registry makes sandboxes with. */
function makingOf(options: EngineOptions, hashes: Hashes): Making {
  const {
    fixtures,
    store = createMemoryStore(),
    freezeRecords = true,
    maxSandboxes = 1000,
    maxRecords = 1_000_000,
  } = options;
  const freeze = freezeRecords ? deepFreeze : noFreeze;
  return {
    store,
    fixtures,
    birth: birthOf(fixtures, freeze),
    seed: options.randomSeed,
    hashes,
    readings: chooseReadings(options.assumptions, options.profile),
    clock: readClock(options.clock),
    scenarios: begunWith(options),
    keeping: { freeze, maxRecords },
    budget: new JournalBudget(),
    maxSandboxes,
  };
}

/** The scenarios that every sandbox begins with. @throws ScenariosError for those that do not fit the fixtures. */
function begunWith({ scenarios, scenario, fixtures }: EngineOptions): Scenario[] {
  const chosen = chooseScenarios(scenarios, scenario);
  requireFit(chosen, fixtures);
  return chosen;
}

const hostsOf = (hosts: readonly string[], publicUrl: string | undefined): string[] =>
  [...hosts, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])].map((host) => host.toLowerCase());

/** In process a bug must fail the test that met it; a store that fails is no bug. */
function throwBugs(error: unknown): void {
  if (!(error instanceof StoreFailure)) throw error;
}
