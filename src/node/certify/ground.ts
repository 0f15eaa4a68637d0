// Where the walk takes place: a sandbox of a server elsewhere, which loses nothing by it, or of a server of its own.
import type { Remote } from '../ask.ts';
import { startClientServer } from '../client-server.ts';
import { type SettingFlags, settingOf } from '../serve-flags.ts';
import { type KeptSandbox, keepSandbox } from './kept-sandbox.ts';
import { controlOf } from './remote-sandbox.ts';

export interface Ground {
  readonly remote: Remote;
  /** null where it is not known. */
  readonly seed: string | null;
  /** To be called before the sandbox is touched. Gives the name of the snapshot that it is kept as, where it is. */
  readonly keep: () => Promise<string | undefined>;
  /** That name, until the sandbox is brought back. */
  readonly keptAs: () => string | undefined;
  readonly close: () => Promise<void>;
}

/** A server that runs already. */
export function groundElsewhere(remote: Remote): Ground {
  let kept: KeptSandbox | undefined;
  return {
    remote,
    seed: null,
    keep: async () => {
      kept = await keepSandbox(controlOf(remote));
      return kept.name;
    },
    keptAs: () => kept?.name,
    close: async () => {
      await kept?.bringBack();
      kept = undefined;
    },
  };
}

/** A server made for this walk. */
export async function ownGround(
  flags: SettingFlags & { readonly randomSeed: string },
  sandbox: string,
): Promise<Ground> {
  const { place, close } = await startClientServer(await settingOf(flags));
  const { url, adminKey } = place;
  return {
    remote: { url, adminKey, sandbox },
    seed: flags.randomSeed,
    keep: async () => undefined,
    keptAs: () => undefined,
    close,
  };
}
