// The library's entry: exports only.

export type { AssumptionId, Reading, Readings } from './contract/assumptions.ts';
export { type FileFault, FixturesError } from './contract/file-faults.ts';
export { readFixtures } from './contract/files.ts';
export type { FixtureFile, Fixtures } from './contract/fixtures.ts';
export { UnknownReadingError } from './contract/readings.ts';
export { createSachet, type Sachet, type SachetOptions } from './create-sachet.ts';
