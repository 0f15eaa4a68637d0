// What an engine is made of, and what it is.
import type { Fetch } from './client/control-client.ts';
import type { Choices, ProfileName } from './contract/assumptions.ts';
import type { Fixtures } from './contract/fixtures.ts';
import type { Scenario } from './contract/scenarios.ts';
import type { Hashes } from './domain/hashes.ts';
import type { Answered } from './http/dependencies.ts';
import type { RequestHandler } from './http/response.ts';
import type { Entry } from './journal/entry.ts';
import type { Sandboxes } from './sandbox/sandboxes.ts';
import type { Store } from './state/store.ts';

/** What an engine is made of; all but the fixtures have defaults. */
export interface EngineOptions {
  /** What every sandbox is born from. */
  readonly fixtures: Fixtures;
  /** The scenarios that can be applied. Default: none. */
  readonly scenarios?: readonly Scenario[] | undefined;
  /** Names of scenarios that every sandbox begins with. Default: none. */
  readonly scenario?: readonly string[] | undefined;
  /** Single readings that differ from the profile's, such as `{ next_cursor: 'meta' }`. */
  readonly assumptions?: Partial<Choices> | undefined;
  /** A named set of readings. Default: `default`. */
  readonly profile?: ProfileName | undefined;
  /** Where the sandboxes' clocks start: an ISO 8601 instant to stand at, with a `+` at its end to run on from. Default: real time. */
  readonly clock?: string | undefined;
  /** The same seed gives the same ids and keys. Default: every sandbox has one that nobody can guess. */
  readonly randomSeed?: string | undefined;
  /** The absolute URL that answers name instead of the request's own origin. */
  readonly publicUrl?: string | undefined;
  /** Whether a login with `user+tag` makes the sandbox `tag`. Default: true. */
  readonly loginSandboxes?: boolean;
  /**
   * Whether what stands under /_docs may show a login and the data of the fixtures to whoever asks: true where these are no secrets, or nobody
   * else reaches the server. Default: true. Without login sandboxes it never does.
   */
  readonly showFixtures?: boolean | undefined;
  /** The key of the control API. Default: 32 random bytes, told as `adminKey`. */
  readonly adminKey?: string | undefined;
  /** Host names under which it answers over a port, and the control API always, besides those of loopback and the public URL's. Default: none. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Whether other machines may reach the port: then only the control API and the console keep to the hosts that are known. Default: false. */
  readonly takesAnyHost?: boolean | undefined;
  /** How many sandboxes there may be; then the longest-unused one made by login goes. Default: 1000. */
  readonly maxSandboxes?: number | undefined;
  /** How many records a collection of a sandbox may have. Default: 1,000,000. */
  readonly maxRecords?: number | undefined;
  /** Whether answers carry the `Sandbox-…` headers. Default: true. */
  readonly debugHeaders?: boolean | undefined;
  /** Where state is kept. Default: in memory. */
  readonly store?: Store | undefined;
  /** Freezes every record deeply, so that a write to shared data fails loudly. Default: true; a server turns it off for speed. */
  readonly freezeRecords?: boolean | undefined;
  /** Whether the heap of the process can hold more; where it cannot, what adds to it is refused. Default: it can. */
  readonly hasMemory?: (() => boolean) | undefined;
  /** SHA-256 and HMAC of the platform, where they are faster than the default. */
  readonly hashes?: Hashes | undefined;
  /** Told of every call that a sandbox has answered, as its journal keeps it. */
  readonly onCompleted?: ((entry: Entry, sandbox: string) => void) | undefined;
  /** Called once per answered call, but for /health. */
  readonly log?: ((answered: Answered) => void) | undefined;
  /** Told of bugs and store failures; the caller gets the service's 500. Default: a bug is thrown, so that fetch rejects. */
  readonly onFailure?: ((error: unknown, requestId: string) => void) | undefined;
}

/** What answers requests. */
export interface Engine {
  /** Answers as the server would over a port; takes what the global fetch takes, with an absolute URL. */
  readonly fetch: Fetch;
  /** The same for a server, which hands it each request with its bindings. */
  readonly app: RequestHandler;
  readonly sandboxes: Sandboxes;
  /** The key of the control API. */
  readonly adminKey: string;
  /** Ends delayed calls, waits and event streams. From now on /health is 503: whoever sends calls here shall stop. */
  readonly close: () => void;
}
