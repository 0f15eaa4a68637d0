// One statement of the contract with its check over HTTP, and helpers of the checks.
import { expect } from 'vitest';
import type { OperationId } from '../../../src/contract/operations.ts';
import { errorBodyOf, prepare } from '../../cases/rejected.ts';
import { orderWith } from '../../cases/requests.ts';
import { rows } from '../../cases/table.ts';
import { testSachet } from '../../support/sachet.ts';

/** A sandbox with a logged-in `demo`, or another user. */
export async function session(username = 'demo') {
  const sachet = testSachet();
  const client = await sachet.login(username);
  const order = (patches: Readonly<Record<string, unknown>> = {}) => client.post('/v2/orders', orderWith(patches));
  return { sachet, client, stage: sachet.control.sandbox('stage'), order };
}
export type Session = Awaited<ReturnType<typeof session>>;

/** Fails if the server does not comply. */
export type Check = (session: Session) => Promise<void>;
/** A sentence of the contract, the rules and assumptions behind it, and its check. */
export type Statement = readonly [says: string, heldBy: string, check: Check];
/** The statements of one section of the contract. */
export interface Section {
  readonly title: string;
  readonly statements: readonly Statement[];
}

/** The requests of the cases of these rules are rejected exactly as the cases say. */
export const rejectedAs =
  (id: OperationId, ...rules: readonly string[]): Check =>
  async () => {
    for (const rule of rules) {
      const row = rows.find((one) => one.rule === rule && one.id === id);
      if (!row) throw new Error(`no case of ${rule}`);
      const { status, body } = await (await prepare(id, row.given)).send();
      expect([status, body]).toEqual([row.given.rejection.status, errorBodyOf(row.given.rejection)]);
    }
  };

/** The statement of this sentence, with its checks. */
export const says = (sentence: string, heldBy: string) => ({
  checkedBy: (...checks: readonly [Check, ...Check[]]): Statement => [
    sentence,
    heldBy,
    async (session) => {
      for (const check of checks) await check(session);
    },
  ],
});

export const uuid = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
export const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
export const [text, number] = [expect.any(String), expect.any(Number)];
export const orNull = (value: unknown): unknown => expect.toBeOneOf([value, null]);
