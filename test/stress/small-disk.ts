// A disk that is soon full: a tmpfs of its own, which only root may mount. It is gone when the test is over, however that went.
import { spawnSync } from 'node:child_process';
import { statfsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { folder } from '../support/command.ts';

export interface SmallDisk {
  /** A folder on it. */
  readonly path: string;
  /** Fills it but for so many bytes. */
  fill(left: number): void;
  /** Takes away what filled it. */
  free(): Promise<void>;
}

/** undefined where none may be mounted. */
export function smallDisk(mebibytes: number): SmallDisk | undefined {
  const path = folder();
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'sachet-stress', path]);
  if (status !== 0) return undefined;
  onTestFinished(() => {
    // With -l it goes even while something of it is open.
    spawnSync('umount', ['-l', path]);
  });
  const filler = join(path, 'filler');
  return {
    path,
    fill: (left) => {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(Math.max(bavail * bsize - left, 0)));
    },
    free: () => rm(filler),
  };
}
