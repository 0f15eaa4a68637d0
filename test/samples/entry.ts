/** What an entry of the samples is, and how lists of texts become entries. */

/** What a server makes of a body: it is JSON, whatever is in it, or it is none. */
export type Verdict = 'taken' | 'refused';

export interface Entry {
  readonly name: string;
  readonly bytes: string | Uint8Array;
  readonly verdict: Verdict;
  /** What it parses to, where JSON can say it. */
  readonly value?: unknown;
}

const shown = (bytes: string | Uint8Array): string =>
  typeof bytes === 'string' ? JSON.stringify(bytes) : `bytes ${Buffer.from(bytes).toString('hex')}`;

/** Bodies that are JSON, each with what it parses to. */
export const taken = (
  group: string,
  ...bodies: readonly (readonly [bytes: string | Uint8Array, value: unknown])[]
): Entry[] => bodies.map(([bytes, value]) => ({ name: `${group}: ${shown(bytes)}`, bytes, verdict: 'taken', value }));

/** Bodies that are none. */
export const refused = (group: string, ...bodies: readonly (string | Uint8Array)[]): Entry[] =>
  bodies.map((bytes) => ({ name: `${group}: ${shown(bytes)}`, bytes, verdict: 'refused' }));
