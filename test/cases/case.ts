// A case: how to call an operation so that one rule rejects the request, and the exact response.
import type { Choices, EndpointAssumption } from '../../src/contract/assumptions.ts';
import type { AnswerStatus, bodyRefusals, commonRefusals, pathIdRefusals } from '../../src/contract/operation.ts';
import type { OperationId, Operations } from '../../src/contract/operations.ts';
import type { TestSachet } from '../support/sachet.ts';

export interface Rejection {
  readonly status: AnswerStatus;
  readonly message: string;
  /** Without them the body has no `details`. */
  readonly details?: readonly { readonly field: string; readonly message: string }[];
}

export interface Case {
  /** A user of the fixtures, null for a call without a token. Default: `demo`, if the operation needs a token. */
  readonly user?: string | null;
  /** The path of the base URL of the login, if it is not that of the call. */
  readonly loginBase?: string;
  readonly assumptions?: Partial<Choices>;
  /** Runs between the login and the call. */
  readonly meanwhile?: (sachet: TestSachet) => Promise<unknown>;
  /** Milliseconds that pass between the login and the call. */
  readonly advance?: number;
  /** The differences from the operation's good request; `raw` is sent instead of a body. */
  readonly request?: {
    readonly path?: string;
    readonly body?: unknown;
    readonly raw?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly rejection: Rejection;
}

/** The rules whose cases `sharedCases` makes from the operation's declaration. */
export type TokenRule = (typeof commonRefusals)[number];
export type BodyRule = (typeof bodyRefusals)[number];
export type PathRule = (typeof pathIdRefusals)[number];
export type QueryRule = 'malformed_parameter' | 'over_max_limit' | 'unknown_fields';

/** The rules of an operation that need a case of their own. */
type OwnRule<Id extends OperationId> = Exclude<
  Operations[Id]['refusals'][number],
  BodyRule | PathRule | EndpointAssumption | (Operations[Id] extends { readonly query: unknown } ? QueryRule : never)
>;
/** The operations' own cases: a missing one does not compile. */
export type CaseTable = {
  readonly [Id in OperationId as [OwnRule<Id>] extends [never] ? never : Id]: {
    readonly [Rule in OwnRule<Id>]: Case;
  };
};

/** Rejected because of one field, with the default choices: the message is that of the only detail. */
export const invalid = (field: string, message: string, status: AnswerStatus = 422): Rejection => ({
  status,
  message,
  details: [{ field, message }],
});
