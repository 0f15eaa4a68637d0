// What a case is: how to call an operation so that one rule refuses, and exactly what must come back.
import type { Choices, EndpointAssumption } from '../../src/contract/assumptions.ts';
import type { bodyRefusals, commonRefusals, pathIdRefusals } from '../../src/contract/operation.ts';
import type { OperationId, Operations } from '../../src/contract/operations.ts';
import type { TestSachet } from '../support/sachet.ts';

export interface Refused {
  readonly status: number;
  readonly message: string;
  /** None: the body has no `details`. */
  readonly details?: readonly { readonly field: string; readonly message: string }[];
}

export interface Case {
  /** A user of the fixtures, null for a call without a token. Default: `demo`, where the operation needs a token. */
  readonly user?: string | null;
  /** The base URL's path of the login, where it is not that of the call. */
  readonly loginBase?: string;
  readonly assumptions?: Partial<Choices>;
  /** What happens between the login and the call. */
  readonly meanwhile?: (sachet: TestSachet) => Promise<unknown>;
  /** Milliseconds that pass between the login and the call. */
  readonly advance?: number;
  /** What differs from the operation's good request; `raw` is sent instead of a body. */
  readonly request?: {
    readonly path?: string;
    readonly body?: unknown;
    readonly raw?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly refused: Refused;
}

export type CommonRule = (typeof commonRefusals)[number];
export type BodyRule = (typeof bodyRefusals)[number];
export type PathRule = (typeof pathIdRefusals)[number];
export type QueryRule = 'malformed_parameter' | 'over_max_limit' | 'unknown_fields';

/** The rules whose cases `sharedCases` makes of the operation's declaration. */
type SharedRule<Id extends OperationId> =
  | BodyRule
  | PathRule
  | EndpointAssumption
  | (Operations[Id] extends { readonly query: unknown } ? QueryRule : never);
/** The rules of an operation that need a case of their own. */
type OwnRule<Id extends OperationId> = Exclude<Operations[Id]['refusals'][number], SharedRule<Id>>;
type OwnCases<Id extends OperationId> = { readonly [Rule in OwnRule<Id>]: Case };
/** The operations' own cases: one that is missing does not compile. */
export type CaseTable = {
  readonly [Id in OperationId as [OwnRule<Id>] extends [never] ? never : Id]: OwnCases<Id>;
};

/** Refused for one field, by the default readings: the message is the only detail's. */
export const invalid = (field: string, message: string, status = 422): Refused => ({
  status,
  message,
  details: [{ field, message }],
});
