// A short Retry-After, for tests in which the client waits in real time.
import type { MadeSandbox } from '../client/sandbox.ts';

/**
 * The sandbox of a test.
 * @example
 * const withBurst = async (sandbox: TestSandbox) => {
 *   sandbox.fastRetries();
 *   await sandbox.switches.set({ rate_limit: { burst: 2 } });
 * };
 */
export interface TestSandbox extends MadeSandbox {
  /**
   * From now on, a 429 that this test sets has `Retry-After: 1` instead of 60, so that a client that really waits is
   * done before the test's timeout. Affects a `burst` of the switch `rate_limit`, and faults with status 429. Your own
   * `retry_after` wins; scenarios, `for_seconds` and windows keep theirs. The explanation of each 429 has its value.
   */
  fastRetries(): void;
}

type Patch = Parameters<MadeSandbox['switches']['set']>[0];
type Fault = Parameters<MadeSandbox['faults']['create']>[0];

/** The test's own `retry_after` wins, unless it is undefined. */
const hasten = <T extends { readonly retry_after?: number | undefined }>(settings: T): T => ({
  ...settings,
  retry_after: settings.retry_after ?? 1,
});

export function withFastRetries(sandbox: MadeSandbox): TestSandbox {
  const { switches, faults } = sandbox;
  let isFast = false;
  const hastenSwitches = (patch: Patch): Patch =>
    isFast && patch.rate_limit?.burst !== undefined ? { ...patch, rate_limit: hasten(patch.rate_limit) } : patch;
  const hastenFault = (fault: Fault): Fault =>
    isFast && fault.status === 429 && fault.for_seconds === undefined ? hasten(fault) : fault;
  return {
    ...sandbox,
    switches: { ...switches, set: (patch) => switches.set(hastenSwitches(patch)) },
    faults: { ...faults, create: (fault) => faults.create(hastenFault(fault)) },
    fastRetries: () => {
      isFast = true;
    },
  };
}
