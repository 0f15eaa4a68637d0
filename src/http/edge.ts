// What the HTTP layer is given by the composition root.

import type { Scenario } from '../contract/scenarios.ts';
import type { Sandboxes } from '../control/sandboxes.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Documents } from './docs/documents.ts';
import type { HealthOfServer } from './health.ts';
import type { Tokens } from './tokens.ts';

/**
 * One answered call, for the log. The path has no query: a label's signature is a secret.
 * @example createSachet({ log: ({ method, path, status }: Answered) => console.log(method, path, status) });
 */
export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly sandbox: string | undefined;
}

export interface Edge {
  readonly sandboxes: Sandboxes;
  readonly tokens: Tokens;
  readonly hashes: Hashes;
  readonly version: string;
  readonly health: HealthOfServer;
  /** The OpenAPI documents. */
  readonly documents: Documents;
  /** Absolute URL that answers name instead of the request's own origin; no slash at its end. */
  readonly publicUrl: string | undefined;
  /** Whether answers carry the Sandbox-… headers. */
  readonly debugHeaders: boolean;
  /** SHA-256 of the admin key, in hexadecimal digits. */
  readonly adminKeyHash: string;
  /** Host names under which the control API answers, besides those of loopback. */
  readonly allowedHosts: readonly string[];
  /** By name. */
  readonly scenarios: ReadonlyMap<string, Scenario>;
  /** Whether a login with `user+tag` makes the sandbox `tag`. */
  readonly loginSandboxes: boolean;
  /** Whether what stands under /_docs may show a login and the data of the fixtures to whoever asks. */
  readonly showFixtures: boolean;
  /** Called once per answered call, but for /health, which is asked every few seconds. */
  readonly log: (answered: Answered) => void;
  /** Told of a bug or a failing store, with the id of the request. What it throws, the caller of fetch gets. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}
