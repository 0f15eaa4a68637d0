// What Node does better than what runs everywhere, and where it tells what failed.
import type { EngineOptions } from '../engine-options.ts';
import { nodeHashes } from './hashes.ts';
import { reportFailure } from './log.ts';
import { roomOf } from './memory.ts';

/** Records are not frozen: that is for tests of the house, and costs an order some microseconds. */
export const platform: Pick<EngineOptions, 'hashes' | 'freezeRecords' | 'hasRoom' | 'onFailure'> = {
  hashes: nodeHashes,
  freezeRecords: false,
  hasRoom: roomOf((words) => void process.stderr.write(`${words}\n`)),
  onFailure: reportFailure,
};
