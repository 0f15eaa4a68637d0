// A sandbox whose client is judged: bent as a tester bends it, and its conduct report.
import type { ConductReport, ConductRuleId } from '../../../src/contract/control/conduct.ts';
import { type Bent, bent } from '../bent.ts';
import type { Answer, Client } from '../sachet.ts';
import { refresh } from '../tokens.ts';

type Ruled = ConductReport['rules'][number];

export interface Judged extends Bent {
  readonly username: string;
  /** Refreshes with the login's refresh token. */
  readonly refresh: () => Promise<Answer>;
  /** Refreshes, and gives a client with the new access token. */
  readonly renewed: () => Promise<Client>;
  /** Every access token so far is expired from now on. */
  readonly expireTokens: () => Promise<unknown>;
  /** What the report says of one rule. */
  readonly ruled: (id: ConductRuleId) => Promise<Ruled>;
}

export async function judged(options: Parameters<typeof bent>[0] = {}): Promise<Judged> {
  const world = await bent(options);
  const { sachet, stage, client } = world;
  const refreshed = () => refresh(sachet, client.refreshToken);
  return {
    ...world,
    username: 'demo',
    refresh: refreshed,
    renewed: async () => sachet.client((await refreshed()).body.access_token, '', client.refreshToken),
    expireTokens: () => stage.switches.set({ token_expiry: { expire_issued: true } }),
    ruled: async (id) => {
      const { rules } = await stage.report.get();
      const found = rules.find((rule) => rule.id === id);
      if (!found) throw new Error(`the report has no rule ${id}`);
      return found as Ruled;
    },
  };
}

/** The id that an answer's request has in the journal. */
export const idOf = ({ headers }: Answer): string => headers.get('sandbox-request-id') ?? '';
