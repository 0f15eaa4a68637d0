// A server over a state folder, over a database, or over memory where neither is named: what a folder has is open before anybody is answered.
import type { Engine } from '../engine.ts';
import { type Store, StoreFailure } from '../state/store.ts';
import { UsageError } from '../stores/errors.ts';
import { type Listening, listen } from './listen.ts';

/** Where state is kept, and when a write stands there. */
export interface StateOptions {
  /** A folder that keeps the state, made where there is none. Default: memory. */
  readonly state?: string | undefined;
  /** When a write stands in the folder: `always`, before it is answered; `interval`, at most a second later. Default: `always`. */
  readonly sync?: 'always' | 'interval' | undefined;
  /** The URL of a database that keeps the state, which several servers may share. Default: none. */
  readonly store?: string | undefined;
}

/** What a server began with. */
export interface Kept {
  /** The folder, or where the database is. */
  readonly place: string;
  /** How many sandboxes there were. */
  readonly sandboxes: number;
}

interface Opened extends Kept {
  readonly store: Store;
  /** All that was acknowledged stands once this is over. */
  close(): Promise<void>;
}

/**
 * Listens with the engine that is made over the store.
 * @throws FolderHeld, StateDamage; UsageError for options that are none, and when the address cannot be listened on
 */
export async function startServer(
  options: StateOptions,
  engineOver: (store: Store | undefined) => Engine,
  place: { readonly port: number; readonly host: string },
): Promise<Listening & { readonly engine: Engine; readonly kept: Kept | undefined }> {
  const kept = await opened(options);
  try {
    const engine = engineOver(kept?.store);
    if (kept) await engine.sandboxes.open();
    const { url, close } = await listen(engine, place);
    return { url, engine, kept, close: () => close().finally(() => kept?.close()) };
  } catch (error) {
    await kept?.close().catch(() => undefined);
    const { message, cause } = error as Error;
    if (!(error instanceof StoreFailure) || !(cause instanceof Error)) throw error;
    throw new Error(`${kept?.place}: ${message}: ${cause.message}`, {
      cause,
    });
  }
}

/** A server whose state is in memory loads nothing of it. */
async function opened({ state, sync, store }: StateOptions): Promise<Opened | undefined> {
  if (state !== undefined && store !== undefined)
    throw new UsageError(
      'state is kept in a folder (--state, SACHET_STATE) or in a database (--store, SACHET_STORE); leave one of them out',
    );
  if (state === undefined && sync !== undefined)
    throw new UsageError(`sync "${sync}" (--sync, SACHET_SYNC) needs a state folder: --state <dir>`);
  if (store !== undefined) return (await import('../stores/postgres/open-store.ts')).openStore(store, tell);
  return state === undefined ? undefined : openedFolder(state, sync);
}

async function openedFolder(state: string, sync: StateOptions['sync'] = 'always'): Promise<Opened> {
  if (/^postgres(?:ql)?:/.test(state))
    throw new UsageError('--state (SACHET_STATE) is for a folder; give a database by --store (SACHET_STORE)');
  if (typeof state !== 'string' || state === '') throw new UsageError('the state folder has no name');
  if (!['always', 'interval'].includes(sync)) throw new UsageError(`sync "${sync}" is neither always nor interval`);
  const { openState } = await import('../stores/folder/state-folder.ts');
  return openState(state, { sync, tell });
}

const tell = (words: string): void => void process.stderr.write(`${words}\n`);
