// One statement of the contract with a check over HTTP, and what the checks share.
import { expect } from 'vitest';
import { rows } from '../../cases/table.ts';
import { errorBodyOf, prepare } from '../../support/refused.ts';
import { type Answer, type TestSachet, testSachet } from '../../support/sachet.ts';

/** What the contract says, the rules and assumptions that hold it, and a check that fails if the server does not. */
export type Statement = readonly [says: string, heldBy: string, check: () => Promise<void>];
/** The statements of one section of the contract. */
export interface Section {
  readonly title: string;
  readonly statements: readonly Statement[];
}

export const tokenPath = '/v2/authentication/token';
export const refreshPath = '/v2/authentication/refresh-token';

/** A sandbox with a logged-in `demo`, or another user. */
export async function session(username = 'demo', options: Parameters<typeof testSachet>[0] = {}) {
  const sachet = testSachet(options);
  return { sachet, client: await sachet.login(username), stage: sachet.control.sandbox('stage') };
}

/** Places an order in a new sandbox. */
export async function placeOrder(body: unknown, username?: string): Promise<Answer> {
  return (await session(username)).client.post('/v2/orders', body);
}

/** The order creation is rejected exactly as the case of this rule says. */
export async function rejectsByCase(rule: string, id = 'orders.create'): Promise<void> {
  const given = rows.find((row) => row.rule === rule && row.id === id)?.given;
  if (!given) throw new Error(`no case of ${rule}`);
  const { send } = await prepare(id as (typeof rows)[number]['id'], given);
  const { status, body } = await send();
  expect({ status, body }).toEqual({ status: given.refused.status, body: errorBodyOf(given.refused) });
}

/** The values of these fields have these types; `string?` is a string or null. */
export function expectTypes(record: Readonly<Record<string, unknown>>, types: Readonly<Record<string, string>>): void {
  expect(Object.keys(record).sort()).toEqual(Object.keys(types).sort());
  for (const [field, type] of Object.entries(types)) {
    const value = record[field];
    if (type.endsWith('?') && value === null) continue;
    if (type.startsWith('uuid')) expect(value, field).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    else if (type.startsWith('instant')) expect(value, field).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
    else expect(Array.isArray(value) ? 'array' : typeof value, field).toBe(type.replace('?', ''));
  }
}

/** The login's response, for checks of tokens. */
export async function tokensOf(sachet: TestSachet, username = 'demo', password = 'sachet-demo') {
  return (await sachet.call('POST', tokenPath, { body: { username, password } })).body;
}
