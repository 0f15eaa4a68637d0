// A sandbox of somebody else's: what is in it is kept before the walk, and brought back behind it.
import type { SandboxControl } from '../../client/sandbox-control.ts';
import { randomSecret } from '../../control/ids.ts';

const prefix = 'before-certify-';
const suffixDigits = 8;

/** What was in it, as a snapshot. */
export interface KeptSandbox {
  readonly name: string;
  /** @throws Error that tells the name, where it cannot. */
  readonly bringBack: () => Promise<void>;
}

/** @throws Error where another walk has kept it, too: what it has made of the sandbox is nothing to keep. */
export async function keepSandbox({ snapshots, requests }: SandboxControl): Promise<KeptSandbox> {
  await refuseKept(snapshots);
  const name = `${prefix}${randomSecret().slice(0, suffixDigits)}`;
  await snapshots.create({ name });
  // Another one may have begun at the same time.
  await refuseKept(snapshots, name).catch(async (error: unknown) => {
    await snapshots.delete(name);
    throw error;
  });
  return { name, bringBack: () => broughtBack({ snapshots, requests }, name) };
}

type Snapshots = SandboxControl['snapshots'];

async function refuseKept(snapshots: Snapshots, own?: string): Promise<void> {
  const kept = (await snapshots.list()).snapshots.find(({ name }) => name.startsWith(prefix) && name !== own);
  if (kept)
    throw new Error(
      `a walk has kept the sandbox as its snapshot "${kept.name}": wait until it is over; if none is on, bring the sandbox back by POST …/snapshots/${kept.name}/restore and delete the snapshot by DELETE …/snapshots/${kept.name}`,
    );
}

/** The journal of the walk goes, too: what comes after it is judged without it. */
async function broughtBack(
  { snapshots, requests }: Pick<SandboxControl, 'snapshots' | 'requests'>,
  name: string,
): Promise<void> {
  await snapshots.restore(name).catch((error: unknown) => {
    throw new Error(
      `the sandbox was not brought back; what was in it is its snapshot "${name}": ${(error as Error).message}`,
    );
  });
  try {
    await requests.clear();
    await snapshots.delete(name);
  } catch (error) {
    throw new Error(`the sandbox was brought back, but its snapshot "${name}" is left: ${(error as Error).message}`);
  }
}
