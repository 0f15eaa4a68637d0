// The library's entry: exports only.

export type { AssumptionId, Reading, Readings } from './contract/assumptions.ts';
export { type FileFault, type FixtureFile, type Fixtures, FixturesError, readFixtures } from './contract/files.ts';
export { UnknownReadingError } from './contract/readings.ts';
export { createSachet, type Sachet, type SachetOptions } from './create-sachet.ts';
