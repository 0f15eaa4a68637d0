// A stage whose client is judged by the conduct report.
import type { ConductReport, ConductRuleId } from '../../../src/contract/control/conduct.ts';
import type { Answer, Client } from '../../support/sachet.ts';
import { type TestStage, testStage } from '../../support/stage.ts';
import { refresh } from '../../support/tokens.ts';

type Ruled = ConductReport['rules'][number];

export interface Judged extends TestStage {
  /** Refreshes with the refresh token of the login. */
  readonly refresh: () => Promise<Answer>;
  /** Refreshes; a client with the new access token. */
  readonly renewed: () => Promise<Client>;
  readonly expireTokens: () => Promise<unknown>;
  /** Cuts the connection of the next call. */
  readonly cut: (drop?: 'before_processing' | 'after_processing' | 'mid_body') => Promise<unknown>;
  readonly ruled: (id: ConductRuleId) => Promise<Ruled>;
  readonly outcome: (id: ConductRuleId) => Promise<Ruled['outcome']>;
}

export async function judged(options: Parameters<typeof testStage>[0] = {}): Promise<Judged> {
  const world = await testStage(options);
  const { sachet, stage, client } = world;
  const refreshed = () => refresh(sachet, client.refreshToken);
  const ruled = async (id: ConductRuleId) => {
    const { rules } = await stage.report.get();
    const found = rules.find((rule) => rule.id === id);
    if (!found) throw new Error(`the report has no rule ${id}`);
    return found as Ruled;
  };
  return {
    ...world,
    refresh: refreshed,
    renewed: async () => sachet.client((await refreshed()).body.access_token, '', client.refreshToken),
    expireTokens: () => stage.switches.set({ token_expiry: { expire_issued: true } }),
    cut: (drop = 'after_processing') => stage.switches.set({ connection: { drop, burst: 1 } }),
    ruled,
    outcome: async (id) => (await ruled(id)).outcome,
  };
}

/** The id of the request in the journal. */
export const idOf = ({ headers }: Answer): string => headers.get('sandbox-request-id') ?? '';
