// What the HTTP layer is given by the composition root.

import type { Health } from '../contract/health.ts';
import type { Scenario } from '../contract/scenarios.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Entry } from '../journal/entry.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { Documents } from './docs/documents.ts';
import type { ResponseSettings } from './response.ts';
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

/** A request at the door of the control API or the console. */
export interface GuardInput {
  readonly deps: Dependencies;
  readonly request: Request;
  /** The sandbox its path names. */
  readonly sandboxName: string | undefined;
}

/** A guard lets the request pass, or throws what answers it. */
export interface Guard {
  readonly name: string;
  readonly run: (input: GuardInput) => Promise<void>;
}

/** Likewise, before every request that comes over a port. */
export interface PortGuard {
  readonly name: string;
  readonly run: (deps: Dependencies, request: Request) => void;
}

/** The guards by where they stand. */
interface Guards {
  /** Before all of the control API and the console. */
  readonly browser: readonly Guard[];
  /** Behind those, before what holds data, and what bends it. */
  readonly key: readonly Guard[];
  /** Before everything, over a port. */
  readonly port: readonly PortGuard[];
}

export interface Dependencies extends ResponseSettings {
  readonly sandboxes: Sandboxes;
  readonly tokens: Tokens;
  readonly hashes: Hashes;
  readonly version: string;
  readonly health: () => Health;
  /** The OpenAPI documents. */
  readonly documents: Documents;
  /** Absolute URL that answers name instead of the request's own origin; no slash at its end. */
  readonly publicUrl: string | undefined;
  /** SHA-256 of the admin key, in hexadecimal digits. */
  readonly adminKeyHash: string;
  /** Host names that are known besides those of loopback. */
  readonly allowedHosts: readonly string[];
  /** Whether other machines may reach the port: then the service answers under hosts that are not known, too. */
  readonly takesAnyHost: boolean;
  /** Whether the heap of the process can hold more. */
  readonly hasMemory: () => boolean;
  readonly guards: Guards;
  /** By name. */
  readonly scenarios: ReadonlyMap<string, Scenario>;
  /** Whether a login with `user+tag` makes the sandbox `tag`. */
  readonly loginSandboxes: boolean;
  /** Whether what stands under /_docs may show a login and the data of the fixtures to whoever asks. */
  readonly showFixtures: boolean;
  /** Called once per answered call, but for /health, which is asked every few seconds. */
  readonly log: (answered: Answered) => void;
  /** Called once per call that a sandbox has answered. */
  readonly onCompleted?: ((entry: Entry, sandbox: string) => void) | undefined;
  /** Told of a bug or a failing store, with the id of the request. What it throws, the caller of fetch gets. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}
