// The library's entry: a Sachet in process, or the handle of a running server. Web APIs only; exports only.

export { type ConnectOptions, ControlError, type Fetch } from './client/control-client.ts';
export { connect, type Sachet, type SandboxInfo } from './client/sachet.ts';
export type {
  JournalEntry,
  Login,
  MadeSandbox,
  NewSandboxOptions,
  RequestMatch,
  Sandbox,
  ServiceClient,
} from './client/sandbox.ts';
export type { SandboxControl } from './client/sandbox-control.ts';
export type { Choices, ProfileName } from './contract/assumptions.ts';
export { ConfigError, type FileFault, FixturesError, ScenariosError } from './contract/file-errors.ts';
export type { Fixtures } from './contract/fixtures.ts';
export type { SachetConfig } from './contract/observations.ts';
export { UnknownChoiceError } from './contract/resolved-assumptions.ts';
export type { Scenario } from './contract/scenarios.ts';
export { createSachet, type SachetOptions } from './create-sachet.ts';
export type { Answered } from './http/dependencies.ts';
export { sampleOrder } from './sample-order.ts';
export type { SampleOrder } from './sandbox/sample-calls.ts';
export { UnknownScenarioError } from './sandbox/scenarios.ts';
export { UnknownInstantError } from './state/clock.ts';
