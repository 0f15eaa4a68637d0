// Starts a server over a state folder, a database or memory. The state is open before the first request is answered.
import type { Engine } from '../engine.ts';
import { type OpenStore, type Store, StoreFailure } from '../state/store.ts';
import { UsageError } from '../system/exit-errors.ts';
import { type Address, listen } from './listen.ts';

/** Where the state is kept. */
export interface StateOptions {
  /** A folder that keeps the state; it is created if missing. Default: memory. */
  readonly state?: string | undefined;
  /**
   * When a write is on disk: `always`, before its response; `interval`, at most a second later. Needs `state`. Default:
   * `always`.
   */
  readonly sync?: 'always' | 'interval' | undefined;
  /** The URL of a PostgreSQL database that keeps the state; several servers may share it. Default: none. */
  readonly store?: string | undefined;
}

/** The stored state that a server started with; undefined in memory. */
export type StoredState = Pick<OpenStore, 'place' | 'sandboxes'>;

/**
 * Opens the store, makes the engine over it, and listens.
 * @throws FolderHeld, StateDamage; UsageError for invalid options and an address that cannot be listened on
 */
export async function startServer(
  options: StateOptions,
  createEngineOver: (store: Store | undefined) => Engine,
  address: Address,
) {
  const opened = await openStore(options);
  try {
    const engine = createEngineOver(opened?.store);
    if (opened) await engine.sandboxes.open();
    const { url, close } = await listen(engine, address);
    return { url, engine, storedState: opened, close: () => close().finally(() => opened?.close()) };
  } catch (error) {
    await opened?.close().catch(() => undefined);
    const { message, cause } = error as Error;
    if (!(error instanceof StoreFailure) || !(cause instanceof Error)) throw error;
    throw new Error(`${opened?.place}: ${message}: ${cause.message}`, { cause });
  }
}

/** Each kind of store is loaded only if it is used. */
async function openStore({ state, sync, store }: StateOptions): Promise<OpenStore | undefined> {
  if (state !== undefined && store !== undefined)
    throw new UsageError(
      'use either a state folder (--state, SACHET_STATE) or a database (--store, SACHET_STORE), not both',
    );
  if (state === undefined && sync !== undefined)
    throw new UsageError(`sync "${sync}" (--sync, SACHET_SYNC) needs a state folder: --state <dir>`);
  if (store !== undefined) return (await import('../stores/postgres/open-store.ts')).openStore(store, notify);
  if (state === undefined) return undefined;
  if (/^postgres(?:ql)?:/.test(state))
    throw new UsageError('--state (SACHET_STATE) is for a folder; pass a database with --store (SACHET_STORE)');
  if (typeof state !== 'string' || state === '') throw new UsageError('the path of the state folder is empty');
  if (!['always', 'interval', undefined].includes(sync))
    throw new UsageError(`unknown sync "${sync}"; use always or interval`);
  const { openState } = await import('../stores/folder/state-folder.ts');
  return openState(state, { sync: sync ?? 'always', notify });
}

/** Prints a note on standard error. */
export const notify = (line: string): void => void process.stderr.write(`${line}\n`);
