// The options of an engine, and its type. app.ts creates it.
import type { Fetch } from './client/control-client.ts';
import type { Choices, ProfileName } from './contract/assumptions.ts';
import type { Fixtures } from './contract/fixtures.ts';
import type { SachetConfig } from './contract/observations.ts';
import type { Scenario } from './contract/scenarios.ts';
import type { Hashes } from './domain/hashes.ts';
import type { Answered } from './http/dependencies.ts';
import type { RequestHandler } from './http/response.ts';
import type { Entry } from './journal/entry.ts';
import type { Sandboxes } from './sandbox/sandboxes.ts';
import type { Store } from './state/store.ts';

/** All but the fixtures have defaults. */
export interface EngineOptions {
  /** The records that every sandbox begins with. */
  readonly fixtures: Fixtures;
  /** The scenarios that can be applied. Default: none. */
  readonly scenarios?: readonly Scenario[] | undefined;
  /** Names of scenarios that every sandbox begins with. Default: none. */
  readonly scenario?: readonly string[] | undefined;
  /** Choices that differ from the profile's, such as `{ next_cursor: 'meta' }`. */
  readonly assumptions?: Partial<Choices> | undefined;
  /** Choices, facts and evidence of the service, as `sachet learn` writes them. `assumptions` overrides its choices. */
  readonly config?: SachetConfig | undefined;
  /** A named set of choices. Default: `default`. */
  readonly profile?: ProfileName | undefined;
  /** Where every sandbox's clock starts: an ISO 8601 instant, frozen; `+` at its end, running. Default: real time. */
  readonly clock?: string | undefined;
  /** The same seed gives the same ids and keys. A number counts as its text. Default: a random one per sandbox. */
  readonly randomSeed?: string | number | undefined;
  /** The base of absolute URLs in responses. Default: the request's own origin. */
  readonly publicUrl?: string | undefined;
  /** A login with `user+tag` creates the sandbox `tag`. Default: true. */
  readonly loginSandboxes?: boolean;
  /**
   * The pages under /_docs may show a login and the data of the fixtures to everyone. Default: true. Never without
   * login sandboxes.
   */
  readonly showFixtures?: boolean | undefined;
  /** The key of the control API. Default: 32 random bytes; the handle has it as `adminKey`. */
  readonly adminKey?: string | undefined;
  /**
   * Host names that are accepted over a port, and always by the control API, besides loopback and the public URL's.
   * Default: none.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Other machines may reach the port: only the control API and the console insist on a known host. Default: false. */
  readonly takesAnyHost?: boolean | undefined;
  /** At the maximum, the longest-unused sandbox that was made by login is deleted. Default: 1000. */
  readonly maxSandboxes?: number | undefined;
  /** Per collection of a sandbox. Default: 1,000,000. */
  readonly maxRecords?: number | undefined;
  /** Responses carry the `Sandbox-…` headers. Default: true. */
  readonly debugHeaders?: boolean | undefined;
  /** Keeps the state. Default: in memory. */
  readonly store?: Store | undefined;
  /** Freezes every record deeply: a write to shared data throws. Default: true; a server turns it off for speed. */
  readonly freezeRecords?: boolean | undefined;
  /** Returns false when the heap is full: then requests that add data are refused. Default: never. */
  readonly hasMemory?: (() => boolean) | undefined;
  /** SHA-256 and HMAC of the platform. Default: pure JavaScript. */
  readonly hashes?: Hashes | undefined;
  /** Called with the journal entry of every call that a sandbox has answered. */
  readonly onCompleted?: ((entry: Entry, sandbox: string) => void) | undefined;
  /** Called once per answered call, except for /health. */
  readonly log?: ((answered: Answered) => void) | undefined;
  /** Called with bugs and store failures; the client gets a 500. Default: throws a bug, so that fetch rejects. */
  readonly onFailure?: ((error: unknown, requestId: string) => void) | undefined;
}

/** Answers requests. */
export interface Engine {
  /** Answers as over a port; takes the same arguments as the global fetch, with an absolute URL. */
  readonly fetch: Fetch;
  /** For a server, which passes each request with its bindings. */
  readonly app: RequestHandler;
  readonly sandboxes: Sandboxes;
  /** The key of the control API. */
  readonly adminKey: string;
  /** Ends delayed calls, waits and event streams. From now on /health is 503, so that load balancers send no calls. */
  readonly close: () => void;
}
