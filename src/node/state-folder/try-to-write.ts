// Whether the disk takes a file: one that is full lets logs be cut, and nothing be written.
import type { Place } from './place.ts';
import { probeName } from './sweep.ts';

const probeBytes = 65_536;

/** @throws what the disk says */
export async function tryToWrite({ disk, path }: Place): Promise<void> {
  const probe = `${path}/${probeName}`;
  try {
    const file = await disk.create(probe);
    try {
      await file.write(new Uint8Array(probeBytes));
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await disk.remove(probe);
  }
}
