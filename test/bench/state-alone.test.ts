// What measures the making of sandboxes imports the sources: it still finds there what it measures.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { benchModule } from './support.ts';

interface Asked {
  ask(work: { work: string; count: number }): Promise<{ microseconds: number }>;
  stop(): Promise<void>;
}

const { bundled } = await benchModule<{ bundled(file: string, folder: string): Promise<string> }>(
  'servers/bundled.mjs',
);
const { empty, withFolder } = await benchModule<{
  empty(): void;
  withFolder(make: () => void, use: (folder: string) => Promise<void>): Promise<void>;
}>('folders.mjs');
const { startInProcess } = await benchModule<{
  startInProcess(pinning: { pinned: boolean }, file: string): Promise<Asked>;
}>('servers/start.mjs');
const stateAlone = fileURLToPath(new URL('../../bench/servers/state-alone.mjs', import.meta.url));

test('sandboxes are made and reset by the sources alone, and may be again', () =>
  withFolder(empty, async (folder) => {
    const { ask, stop } = await startInProcess({ pinned: false }, await bundled(stateAlone, folder));
    try {
      for (const work of ['makeSandboxes', 'resetSandboxes', 'makeSandboxes'])
        expect((await ask({ work, count: 5 })).microseconds, work).toBeGreaterThan(0);
    } finally {
      await stop();
    }
  }));
