// Scenarios of a test, and the state of a sandbox that removing a scenario restores.
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import type { StateDocument } from '../../src/contract/control/state.ts';
import { readScenarios, type Scenario } from '../../src/contract/scenarios.ts';
import { type TestStage, testStage } from './stage.ts';

/** Scenarios by name, with their settings. */
export const scenariosOf = (contents: Readonly<Record<string, object>>): Scenario[] =>
  readScenarios(
    Object.entries(contents).map(([name, content]) => ({
      name: `${name}.json`,
      content: { intent: 'To see.', right_client: 'Looks.', ...content },
    })),
  );

type Compared = Omit<StateDocument, 'counters' | 'generations' | 'expired' | 'sequences'>;

/** The state without counters, generations and sequences, which are never set back. */
export async function stateOf(sandbox: SandboxControl): Promise<Compared> {
  const { counters: _c, generations: _g, expired: _e, sequences: _s, ...rest } = await sandbox.state.get();
  return rest;
}

/** A stage that has these scenarios. */
export const stageWithScenarios = (contents: Readonly<Record<string, object>>): Promise<TestStage> =>
  testStage({ scenarios: scenariosOf(contents) });
