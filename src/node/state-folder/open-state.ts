// The state folder of a server: taken, read, and given back when the server has ended.
import { resolve } from 'node:path';
import type { Store } from '../../state/store.ts';
import { machineDisk } from './disk.ts';
import { formats } from './format.ts';
import { holdFolder } from './lock.ts';
import { type KeepingOptions, StateFolder } from './state-folder.ts';
import { unreachable } from './unreachable.ts';

/** What a server began with. */
export interface Kept {
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
export async function openState(
  folder: string,
  { sync, tell }: Pick<KeepingOptions, 'sync' | 'tell'>,
): Promise<OpenState> {
  const path = resolve(folder);
  let store: StateFolder | undefined;
  const lost = new Error('another process has taken the state folder over');
  const onLost = () => {
    tell(`state: ${lost.message}: nothing is written to it any more`);
    store?.leave(lost);
  };
  const held = await holding(path, { onLost, tell });
  try {
    const opened = await StateFolder.open({ disk: machineDisk, path, formats, sync, tell });
    store = opened;
    const sandboxes = opened.names().length;
    return { folder: path, sandboxes, store: opened, close: () => opened.close().finally(() => held.release()) };
  } catch (error) {
    await held.release();
    throw error;
  }
}

async function holding(path: string, options: Parameters<typeof holdFolder>[1]): ReturnType<typeof holdFolder> {
  try {
    await machineDisk.makeFolder(path);
    return await holdFolder(path, options);
  } catch (error) {
    throw unreachable(path, error);
  }
}
