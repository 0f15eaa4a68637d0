// The state folder of a server: taken, read, and given back when the server has ended.
import { resolve } from 'node:path';
import type { Store } from '../../state/store.ts';
import { machineDisk } from './disk.ts';
import { formats } from './format.ts';
import { type Held, holdFolder } from './lock.ts';
import { type FolderOptions, StateFolder } from './state-folder.ts';
import { unreachable } from './unreachable.ts';

/** What a server began with. */
interface Kept {
  readonly folder: string;
  /** How many there were. */
  readonly sandboxes: number;
}

export interface OpenState extends Kept {
  readonly store: Store;
  /** All that was acknowledged stands once this is over, and the folder is free. */
  close(): Promise<void>;
}

/**
 * Opens a folder, which is made where there is none.
 * @throws FolderHeld where another process has it; StateDamage where it is no place for state, or holds what cannot be read
 */
export async function openState(folder: string, options: Pick<FolderOptions, 'sync' | 'tell'>): Promise<OpenState> {
  const path = resolve(folder);
  const lost = new AbortController();
  const onLost = (why: string) => {
    options.tell(`state: ${why}: nothing is written to it any more`);
    lost.abort(new Error(why));
  };
  const held = await holding(path, { onLost, tell: options.tell });
  try {
    const place = { disk: machineDisk, path, formats, lost: lost.signal, confirm: () => held.confirm() };
    const store = await StateFolder.open({ ...place, ...options });
    const sandboxes = store.names().length;
    return { folder: path, sandboxes, store, close: () => store.close().finally(() => held.release()) };
  } catch (error) {
    await held.release().catch(() => undefined);
    throw unreachable(path, error);
  }
}

async function holding(path: string, options: Parameters<typeof holdFolder>[1]): Promise<Held> {
  try {
    await machineDisk.makeFolder(path);
    return await holdFolder(path, options);
  } catch (error) {
    throw unreachable(path, error);
  }
}
