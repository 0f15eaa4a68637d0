// A sandbox of somebody else's: what is in it is kept before the walk, and brought back behind it.
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { randomSecret } from '../../control/ids.ts';

const suffixDigits = 8;

/** Keeps its state as a snapshot, and says so; gives what brings that back. */
export async function keepSandbox({ snapshots }: SandboxControl): Promise<() => Promise<void>> {
  const name = `before-certify-${randomSecret().slice(0, suffixDigits)}`;
  await snapshots.create({ name });
  process.stderr.write(`What is in the sandbox is kept as its snapshot "${name}", and brought back in the end.\n`);
  return async () => {
    try {
      await snapshots.restore(name);
      await snapshots.delete(name);
    } catch (error) {
      throw new Error(
        `the sandbox was not brought back; what was in it is its snapshot "${name}": ${(error as Error).message}`,
      );
    }
  };
}
