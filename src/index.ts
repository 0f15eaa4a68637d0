// The library's entry: exports only.

export {
  type ControlClient,
  type ControlClientOptions,
  ControlError,
  controlClient,
  type SandboxControl,
} from './client/control-client.ts';
export type { AssumptionId, Reading, Readings } from './contract/assumptions.ts';
export { UnknownScenarioError } from './contract/choose-scenarios.ts';
export { type FileFault, FixturesError, ScenariosError } from './contract/file-faults.ts';
export { readFixtures } from './contract/files.ts';
export type { FixtureFile, Fixtures } from './contract/fixtures.ts';
export { UnknownReadingError } from './contract/readings.ts';
export { readScenarios, type Scenario } from './contract/scenarios.ts';
export { UnknownInstantError } from './control/clock.ts';
export { createSachet, type Sachet, type SachetOptions } from './create-sachet.ts';
