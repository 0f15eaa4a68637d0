// The control API as a tester calls it. Each response is checked, also against the published document.
import { expect, onTestFinished, vi } from 'vitest';
import type { EngineOptions } from '../../src/engine.ts';
import { type Answer, type CallInit, type TestSachet, testSachet } from './sachet.ts';

/** The headers of a call with this key. */
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

export function controlled(options: Partial<EngineOptions> = {}, sachet = testSachet(options)) {
  /** A call without a key, relative to the server. */
  const input = async (method: string, path: string, init?: CallInit): Promise<Answer> => {
    const answer = await sachet.call(method, path, init);
    expectSound(method, answer);
    return answer;
  };
  /** A call with the admin key, relative to `/_admin`. */
  const admin = (method: string, path: string, body?: unknown, init: CallInit = {}): Promise<Answer> =>
    input(method, `/_admin${path}`, {
      ...(body === undefined ? {} : { body }),
      ...init,
      headers: { ...bearer(sachet.adminKey), ...init.headers },
    });
  return { sachet, admin, input };
}

export type Controlled = ReturnType<typeof controlled>;

function expectSound(method: string, { status, body, text, headers }: Answer): void {
  expect([...headers.keys()].filter((name) => /^access-control-|^set-cookie$/.test(name))).toEqual([]);
  if (method === 'HEAD') expect(text).toBe('');
  else if (status >= 400) expect(body, text).toMatchObject({ statusCode: status, message: expect.stringMatching(/./) });
}

/** The names of all sandboxes. */
export async function namesOf({ sachet }: Pick<Controlled, 'sachet'>): Promise<string[]> {
  return (await sachet.control.list()).sandboxes.map(({ name }) => name);
}

/** The sandboxes with their versions, which each commit changes, and their journals. */
export async function everything({ sachet }: Pick<Controlled, 'sachet'>) {
  const { sandboxes } = await sachet.control.list();
  const held = await Promise.all(sandboxes.map(({ name }) => sachet.sandbox(name)));
  return {
    sandboxes,
    versions: held.map(({ version }) => version),
    journals: held.map(({ journal }) => journal.list()),
  };
}

/** The status and the message of a rejection. */
export const failureOf = ({ status, body }: Answer): unknown[] => [status, body?.message];

/** Waits for a condition; the timeout of the test ends it. */
export async function untilSo(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

/** Options of a server whose sandboxes have random seeds. */
export const unseeded = { randomSeed: undefined } as unknown as Partial<EngineOptions>;

/** Freezes the Date of the machine until the end of the test; returns a function that advances it. */
export function machineAt(instant: string): (milliseconds: number) => void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  let now = Date.parse(instant);
  vi.setSystemTime(now);
  return (milliseconds) => {
    now += milliseconds;
    vi.setSystemTime(now);
  };
}

/** Exports stage, and imports it into another server, where it is the same. */
export async function expectImportable({ control }: TestSachet): Promise<void> {
  const document = await control.sandbox('stage').state.get();
  const other = testSachet().control.sandbox('stage');
  await other.state.put(document);
  expect(await other.state.get()).toEqual({ ...document, exported_at: expect.any(String) });
}
