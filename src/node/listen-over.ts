// A server over a state folder, or over memory where none is named: what the folder has is open before anybody is answered.
import type { Engine } from '../engine-options.ts';
import type { Store } from '../state/store.ts';
import { type Listening, listen } from './listen.ts';
import type { Kept, OpenState } from './state-folder/open-state.ts';
import { UsageError } from './usage-error.ts';

/** Where state is kept, and when a write stands there. */
export interface StateOptions {
  /** A folder that keeps the state, made where there is none. Default: memory. */
  readonly state?: string | undefined;
  /** When a write stands in the folder: `always`, before it is answered; `interval`, at most a second later. Default: `always`. */
  readonly sync?: 'always' | 'interval' | undefined;
}

/**
 * Listens with the engine that is made over the store.
 * @throws FolderHeld, StateDamage; UsageError for options that are none, and when the address cannot be listened on
 */
export async function listenOver(
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
    await kept?.close();
    throw error;
  }
}

/** A server whose state is in memory loads nothing of it. */
async function opened({ state, sync }: StateOptions): Promise<OpenState | undefined> {
  if (state === undefined) {
    if (sync === undefined) return undefined;
    throw new UsageError(
      `sync "${sync}" (--sync, SACHET_SYNC) says when a write stands in a state folder, and none is named`,
    );
  }
  if (typeof state !== 'string' || state === '') throw new UsageError('the state folder has no name');
  if (sync !== undefined && !['always', 'interval'].includes(sync))
    throw new UsageError(`sync "${sync}" is neither always nor interval`);
  const { openState } = await import('./state-folder/open-state.ts');
  return openState(state, { sync: sync ?? 'always', tell });
}

const tell = (words: string): void => void process.stderr.write(`${words}\n`);
