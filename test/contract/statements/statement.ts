// One statement of the contract with its check over HTTP, and helpers of the checks.
import { expect } from 'vitest';
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

/** A sentence of the contract, the rules and assumptions behind it, and a check that fails if the server does not comply. */
export type Statement = readonly [says: string, heldBy: string, check: (session: Session) => Promise<void>];
export const says = (...statement: Statement): Statement => statement;
/** The statements of one section of the contract. */
export interface Section {
  readonly title: string;
  readonly statements: readonly Statement[];
}

/** The request of this rule's case is rejected exactly as the case says. */
export async function rejectsByCase(rule: string, id = 'orders.create'): Promise<void> {
  const row = rows.find((one) => one.rule === rule && one.id === id);
  if (!row) throw new Error(`no case of ${rule}`);
  const { status, body } = await (await prepare(row.id, row.given)).send();
  expect([status, body]).toEqual([row.given.rejection.status, errorBodyOf(row.given.rejection)]);
}

/** The fields have these types; `string?` is a string or null. */
export function expectTypes(record: Readonly<Record<string, unknown>>, types: Readonly<Record<string, string>>): void {
  const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
  expect(Object.keys(record).sort()).toEqual(Object.keys(types).sort());
  for (const [field, type] of Object.entries(types)) {
    const value = record[field];
    if (type.endsWith('?') && value === null) continue;
    if (/^uuid|^instant/.test(type)) expect(value, field).toMatch(type.startsWith('uuid') ? uuid : instant);
    else expect(Array.isArray(value) ? 'array' : typeof value, field).toBe(type.replace('?', ''));
  }
}
