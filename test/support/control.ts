// The control API as a tester calls it. Every answer is checked, also against the published document.
import { expect, onTestFinished, vi } from 'vitest';
import type { EngineOptions } from '../../src/engine.ts';
import { type Answer, type CallInit, testSachet } from './sachet.ts';

export function controlled(options: Partial<EngineOptions> = {}) {
  const sachet = testSachet(options);
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
      headers: { authorization: `Bearer ${sachet.adminKey}`, ...init.headers },
    });
  return { sachet, admin, input };
}

export type Controlled = ReturnType<typeof controlled>;

function expectSound(method: string, { status, body, text, headers }: Answer): void {
  expect([...headers.keys()].filter((name) => /^access-control-|^set-cookie$/.test(name))).toEqual([]);
  if (method === 'HEAD') expect(text).toBe('');
  else if (status >= 400) expect(body, text).toMatchObject({ statusCode: status, message: expect.stringMatching(/./) });
}

/** The names of all sandboxes, in their order. */
export async function namesOf({ sachet }: Pick<Controlled, 'sachet'>): Promise<string[]> {
  return (await sachet.control.list()).sandboxes.map(({ name }) => name);
}

/** All that can be seen of the sandboxes from outside, and the roots themselves: any commit makes another one. */
export async function everything({ sachet }: Pick<Controlled, 'sachet'>) {
  const { sandboxes } = await sachet.control.list();
  const held = await Promise.all(sandboxes.map(({ name }) => sachet.sandbox(name)));
  return {
    sandboxes,
    versions: held.map(({ version }) => version),
    journals: held.map(({ journal }) => journal.list()),
  };
}

/** The status, and what the refusal says first. */
export const failureOf = ({ status, body }: Answer): unknown[] => [status, body?.message];

/** Waits until this is so, however long the machine takes; the test's own deadline ends it. */
export async function untilSo(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

/** The last name of a path is the parameter's; with it a path stands for itself. */
export const filled = (path: string, names: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'x');

/** A server whose sandboxes each have a seed that nobody can guess. */
export const unseeded = { randomSeed: undefined } as unknown as Partial<EngineOptions>;

/** Only the machine's Date stands still from here on, until the test is over; gives what moves it on. */
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

/** Puts a body to a fresh server; whatever is refused leaves all as it was. */
export async function putBody(path: string, init: CallInit, method = 'POST') {
  const server = controlled();
  const before = await everything(server);
  const answer = await server.admin(method, path, undefined, init);
  if (answer.status >= 400) {
    const { sandboxes: _, ...after } = await everything(server);
    expect(after).toEqual({ versions: before.versions, journals: before.journals });
  }
  return answer;
}
export const rawBody = (text: string, type = 'application/json'): CallInit => ({
  raw: text,
  headers: { 'content-type': type },
});
