// Whether a scenario is in force as it was applied: somebody may have taken it off, or turned what it turned.
import type { SandboxControl } from '../../client/sandbox-control.ts';

/** An applied scenario. */
export interface InForce {
  /** What keeps it from being judged; undefined where it is in force as it was. */
  readonly trouble: () => Promise<string | undefined>;
}

export async function applied(control: SandboxControl, name: string): Promise<InForce> {
  const { applied_at } = await control.scenarios.apply(name);
  const levers = await leversOf(control, name);
  return {
    trouble: async () => {
      const { scenarios } = await control.scenarios.list();
      if (scenarios.find((one) => one.name === name)?.applied_at !== applied_at) return takenOff;
      const left = await leversOf(control, name);
      const gone = levers.filter((lever) => !left.includes(lever));
      return gone.length === 0 ? undefined : turnedOff(gone);
    },
  };
}

const takenOff = 'the scenario was taken off meanwhile: somebody reset the sandbox, or took it back';

const turnedOff = (gone: readonly string[]): string =>
  `what the scenario turned was turned off or replaced meanwhile: ${gone.join(', ')}`;

/** The switches and faults that it has turned. Those that are used up are there all the same. */
async function leversOf(control: SandboxControl, name: string): Promise<string[]> {
  const isIts = (lever: object | null): boolean => lever !== null && 'scenario' in lever && lever.scenario === name;
  const switches = Object.entries(await control.switches.get()).filter(([, lever]) => isIts(lever));
  const { faults } = await control.faults.list();
  return [...switches.map(([id]) => `switch ${id}`), ...faults.filter(isIts).map(({ id }) => `fault ${id}`)];
}
