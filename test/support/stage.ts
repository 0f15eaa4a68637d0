// The sandbox stage for a test: its control handle, and a logged-in client.
import { vi } from 'vitest';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import { someOrder } from './order-requests.ts';
import { type Answer, afterNoon, type TestSachet, testSachet } from './sachet.ts';

/** The body of PATCH …/switches. */
export type SwitchesSent = Parameters<SandboxControl['switches']['set']>[0];
/** The body of POST …/faults. */
export type FaultSent = Parameters<SandboxControl['faults']['create']>[0];

/** The sandbox `stage` of a new server, and the calls of its partner. */
export async function testStage(options: Parameters<typeof testSachet>[0] = {}) {
  const sachet = testSachet(options);
  const stage = sachet.control.sandbox('stage');
  const client = await sachet.login();
  /** The status of a GET. */
  const status = async (path = '/v2/products') => (await client.get(path)).status;
  return {
    sachet,
    stage,
    client,
    status,
    /** The statuses of so many GETs, one after the other. */
    async statuses(count: number, path?: string): Promise<number[]> {
      const seen: number[] = [];
      for (let n = 0; n < count; n += 1) seen.push(await status(path));
      return seen;
    },
    /** Sends a valid order with these changes. */
    order: (changes?: object) => client.post('/v2/orders', someOrder(changes)),
    /** How many orders are stored. */
    stored: async () => (await stage.records.orders.list()).orders.length,
    /** Moves the clock on. */
    async elapse(milliseconds: number): Promise<void> {
      await stage.clock.advance({ seconds: milliseconds / 1000 });
    },
    /** Sets the clock to so many milliseconds after noon. */
    async setTo(milliseconds: number): Promise<void> {
      await stage.clock.set({ now: afterNoon(milliseconds) });
    },
  };
}

export type TestStage = Awaited<ReturnType<typeof testStage>>;

/** The same status so many times. */
export const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

/** Replaces the delays of the sandbox; returns the milliseconds that calls would have waited. */
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
