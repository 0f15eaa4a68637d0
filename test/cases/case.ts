// What a case is: how to call an operation so that one rule refuses, and exactly what must come back.
import type { Choices } from '../../src/contract/assumptions.ts';
import type { commonRefusals } from '../../src/contract/operation.ts';
import type { OperationId, Operations } from '../../src/contract/operations.ts';
import type { TestSachet } from '../support/sachet.ts';
import type { TokenOperation } from './requests.ts';

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
/** Every rule by which an operation declares that it may refuse. */
export type RulesOf<Id extends OperationId> =
  | Operations[Id]['refusals'][number]
  | (Id extends TokenOperation ? CommonRule : never);
export type CasesOf<Id extends OperationId> = { readonly [Rule in RulesOf<Id>]: Case };
export type CaseTable = { readonly [Id in OperationId]: CasesOf<Id> };

/**
 * The cases of one operation: a declared rule without a case does not compile, and a case of an undeclared rule neither,
 * also where the cases were spread together.
 */
export function casesOf<Id extends OperationId, Given extends CasesOf<Id>>(
  _: Id,
  cases: Given & { readonly [Extra in Exclude<keyof Given, RulesOf<Id>>]: never },
): CasesOf<Id> {
  return cases;
}

/** Refused for one field, by the default readings: the message is the only detail's. */
export const invalid = (field: string, message: string, status = 422): Refused => ({
  status,
  message,
  details: [{ field, message }],
});
