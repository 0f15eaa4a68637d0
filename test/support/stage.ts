// The sandbox stage for a test: its control handle, and a logged-in client.
import { vi } from 'vitest';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import { someOrder } from './order-requests.ts';
import { type Answer, type Client, noon, type TestSachet, testSachet } from './sachet.ts';

/** What PATCH …/switches takes. */
export type SwitchesSent = Parameters<SandboxControl['switches']['set']>[0];
/** What POST …/faults takes. */
export type FaultSent = Parameters<SandboxControl['faults']['create']>[0];

export interface TestStage {
  readonly sachet: TestSachet;
  readonly stage: SandboxControl;
  readonly client: Client;
  /** The status of a GET. */
  status(path?: string): Promise<number>;
  /** The statuses of so many GETs, one after the other. */
  statuses(count: number, path?: string): Promise<number[]>;
  /** Sends a good order, but for what is changed. */
  order(changes?: object): Promise<Answer>;
  /** How many orders are stored. */
  stored(): Promise<number>;
  /** Moves the clock on. */
  elapse(milliseconds: number): Promise<void>;
  /** Sets the clock to so many milliseconds after noon. */
  setTo(milliseconds: number): Promise<void>;
}

export async function testStage(options: Parameters<typeof testSachet>[0] = {}): Promise<TestStage> {
  const sachet = testSachet(options);
  const stage = sachet.control.sandbox('stage');
  const client = await sachet.login();
  const status = async (path = '/v2/products') => (await client.get(path)).status;
  return {
    sachet,
    stage,
    client,
    status,
    async statuses(count, path) {
      const seen: number[] = [];
      for (let n = 0; n < count; n += 1) seen.push(await status(path));
      return seen;
    },
    order: (changes) => client.post('/v2/orders', someOrder(changes)),
    stored: async () => (await stage.records.orders.list()).orders.length,
    async elapse(milliseconds) {
      await stage.clock.advance({ seconds: milliseconds / 1000 });
    },
    async setTo(milliseconds) {
      await stage.clock.set({ now: new Date(Date.parse(noon) + milliseconds).toISOString() });
    },
  };
}

/** The same status so many times. */
export const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

/** From here on nothing waits in the sandbox; the milliseconds that each call would have waited. */
export async function recordDelays(sachet: TestSachet, name = 'stage'): Promise<readonly number[]> {
  const waited: number[] = [];
  const { delays } = await sachet.sandbox(name);
  vi.spyOn(delays, 'wait').mockImplementation(async (milliseconds) => void waited.push(milliseconds));
  return waited;
}

/** How a call ended: its status, or the error of fetch if the connection broke. */
export async function outcomeOf(call: Promise<Answer>): Promise<number | string> {
  try {
    return (await call).status;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const { code } = (error.cause ?? {}) as { readonly code?: string };
    return `${error.message}: ${code}`;
  }
}

/** The error of fetch for a connection that broke before the answer's head, and in the middle of its body. */
export const broken = { whole: 'fetch failed: ECONNRESET', body: 'terminated: ECONNRESET' } as const;
