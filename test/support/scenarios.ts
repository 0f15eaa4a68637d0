// Scenarios of a test's own, and a sandbox's state as what scenarios must leave as it was.
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import type { StateDocument } from '../../src/contract/control/state.ts';
import { readScenarios, type Scenario } from '../../src/contract/scenarios.ts';
import { type TestStage, testStage } from './stage.ts';

/** Scenarios by name, each with what it sets. */
export const scenariosOf = (contents: Readonly<Record<string, object>>): Scenario[] =>
  readScenarios(
    Object.entries(contents).map(([name, content]) => ({
      name: `${name}.json`,
      content: { intent: 'To see.', right_client: 'Looks.', ...content },
    })),
  );

type Compared = Omit<StateDocument, 'counters' | 'generations' | 'expired' | 'sequences'>;

/** The state, but for what only ever goes on: counters, generations, and the places that levers had. */
export async function stateOf(sandbox: SandboxControl): Promise<Compared> {
  const { counters: _c, generations: _g, expired: _e, sequences: _s, ...rest } = await sandbox.state.get();
  return rest;
}

/** A stage that these scenarios can be applied to. */
export const stageWithScenarios = (contents: Readonly<Record<string, object>>): Promise<TestStage> =>
  testStage({ scenarios: scenariosOf(contents) });

/** The PAG of demo's brand for 30 days. */
export const pag30 = '30000000-0000-4000-8000-000000000002';
/** Patches of that PAG, as a scenario has them. */
export const pagPatch = (patch: object) => ({ data: { pags: [{ id: pag30, ...patch }] } });

const match = { method: 'PUT' };

/** Three scenarios that set the same things in part, none of which a client's calls meet. */
export const overlapping = {
  one: {
    switches: { rate_limit: { burst: 2, match }, inactive_pags: { all: true } },
    assumptions: { next_cursor: 'meta', list_order: 'oldest_first' },
    faults: [{ status: 404, match }],
    ...pagPatch({ status: 'Inactive' }),
  },
  two: {
    switches: { rate_limit: { burst: 5, match }, server_error: { burst: 1, match } },
    assumptions: { next_cursor: 'header' },
    faults: [{ status: 404, match }],
    ...pagPatch({ name: 'Two' }),
  },
  three: { ...pagPatch({ status: 'Active', name: 'Three' }), assumptions: { list_order: 'newest_first' } },
} as const;
