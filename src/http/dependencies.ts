// What the HTTP layer gets from the composition root.
import type { Health } from '../contract/health.ts';
import type { SachetConfig } from '../contract/observations.ts';
import type { ServiceOperation } from '../contract/operations.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { Assumptions } from '../contract/resolved-assumptions.ts';
import type { RuleId } from '../contract/rules.ts';
import type { Scenario } from '../contract/scenarios.ts';
import type { Hashes } from '../domain/hashes.ts';
import type { Entry } from '../journal/entry.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { CallLimit } from './call-limit.ts';
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
  /** Of a rejected call: the rules that it breaks. */
  readonly rules?: readonly string[];
  /** Of a rejected call, or of one that a switch or fault affects: why, without secrets. */
  readonly reason?: string;
}

/** A guard lets a request pass, or throws the refusal that answers it. */
type Guard = (deps: Dependencies, request: Request) => void;

export interface Guards {
  readonly portHost: Guard;
  readonly portCrossSite: Guard;
  readonly controlHost: Guard;
  readonly controlOrigin: Guard;
  readonly controlKey: (deps: Dependencies, request: Request, sandboxName: string | undefined) => Promise<void>;
}

export interface Dependencies extends ResponseSettings {
  readonly sandboxes: Sandboxes;
  readonly tokens: Tokens;
  readonly hashes: Hashes;
  readonly version: string;
  readonly health: () => Health;
  /** The OpenAPI documents. */
  readonly documents: Documents;
  /** The refusal of a request that breaks this rule; undefined if its schema allows it then. */
  readonly sampleRefusal: (
    operation: ServiceOperation,
    rule: RuleId,
    assumptions: Assumptions,
  ) => Promise<Refusal | undefined>;
  /** Base of absolute URLs in responses, instead of the request's own origin; without a slash at its end. */
  readonly publicUrl: string | undefined;
  /** SHA-256 of the admin key, in hexadecimal digits. */
  readonly adminKeyHash: string;
  /** Known host names besides those of loopback. */
  readonly allowedHosts: readonly string[];
  /** Whether the service also answers under unknown hosts, because other machines may reach the port. */
  readonly takesAnyHost: boolean;
  /** Limits guesses at invite links. */
  readonly wrongClaims: CallLimit;
  /** Limits the calls to each invited sandbox. */
  readonly guestCalls: CallLimit;
  /** Whether the heap of the process has room. */
  readonly hasMemory: () => boolean;
  /** Guards and protecting headers are dependencies, so that tests can show what each of them protects from. */
  readonly guards: Guards;
  /** The config that the server was started with. */
  readonly config: SachetConfig | undefined;
  /** By name. */
  readonly scenarios: ReadonlyMap<string, Scenario>;
  /** Whether a login as `user+tag` creates the sandbox `tag`. */
  readonly loginSandboxes: boolean;
  /** Whether the API reference may show a login and the data of the fixtures without a key. */
  readonly showFixtures: boolean;
  /** Called once per answered call, except /health, which is requested every few seconds. */
  readonly log: (answered: Answered) => void;
  /** Called once per call that a sandbox has answered. */
  readonly onCompleted?: ((entry: Entry, sandbox: string) => void) | undefined;
  /** Called for a bug or a failing store, with the id of the request. What it throws reaches the caller of fetch. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** Answers a POST to the MCP server with a valid key. `sandbox` is that of an own key, undefined for the admin key. */
export type AnswerMcp = (
  request: Request,
  call: { readonly body: unknown; readonly key: string; readonly sandbox: string | undefined },
) => Promise<Response>;
