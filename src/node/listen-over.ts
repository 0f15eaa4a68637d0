// A server over a state folder, or over memory where none is named: what the folder has is open before anybody is answered.
import type { Engine } from '../engine-options.ts';
import type { Store } from '../state/store.ts';
import { type Listening, listen } from './listen.ts';
import type { Kept, OpenState } from './state-folder/open-state.ts';

/** Where state is kept, and when a write stands there. */
export interface StateOptions {
  /** A folder that keeps the state, made where there is none. Default: memory. */
  readonly state?: string | undefined;
  /** When a write stands in the folder: `always`, before it is answered; `interval`, at most a second later. Default: `always`. */
  readonly sync?: 'always' | 'interval' | undefined;
}

/**
 * Listens with the engine that is made over the store.
 * @throws FolderHeld, StateDamage; UsageError when the address cannot be listened on
 */
export async function listenOver(
  { state, sync = 'always' }: StateOptions,
  engineOver: (store: Store | undefined) => Engine,
  place: { readonly port: number; readonly host: string },
): Promise<Listening & { readonly engine: Engine; readonly kept: Kept | undefined }> {
  const kept = state === undefined ? undefined : await opened(state, sync);
  try {
    const engine = engineOver(kept?.store);
    await engine.sandboxes.open();
    const { url, close } = await listen(engine, place);
    return { url, engine, kept, close: () => close().finally(() => kept?.close()) };
  } catch (error) {
    await kept?.close();
    throw error;
  }
}

/** A server whose state is in memory loads nothing of it. */
async function opened(folder: string, sync: 'always' | 'interval'): Promise<OpenState> {
  const { openState } = await import('./state-folder/open-state.ts');
  return openState(folder, { sync, tell });
}

const tell = (words: string): void => void process.stderr.write(`${words}\n`);
