// A server on a port that is the real one, or lacks some of its protections: there is no option for that.

import { dependenciesOf, engineOf } from '../../src/app.ts';
import type { EngineOptions } from '../../src/engine.ts';
import type { Dependencies } from '../../src/http/dependencies.ts';
import { headerRules, headersBy } from '../../src/http/response.ts';
import { listen } from '../../src/node/listen.ts';
import { fixtures, noon } from './sachet.ts';
import { testStore } from './test-store.ts';

const adminKey = 'a-key-that-every-page-knows';
/** Whatever meets a sandbox uses up some of its burst, which is a change of its state. */
const assumptions = { rate_limit: '100/60s' } as const;
const made = (options: Partial<EngineOptions>): Dependencies =>
  dependenciesOf({ fixtures, clock: noon, randomSeed: 'test', assumptions, ...testStore(), ...options, adminKey });

/** All protections by name: the guards where they stand, and the headers. */
const whole = made({}).guards;
export const protections = [
  ...[...whole.browser, ...whole.key].map(({ name }) => `control ${name}`),
  ...whole.port.map(({ name }) => `port ${name}`),
  ...headerRules.map(({ name }) => name),
];

function without(deps: Dependencies, gone: readonly string[]): Dependencies {
  const left = <T extends { readonly name: string }>(list: readonly T[], at = '') =>
    list.filter(({ name }) => !gone.includes(at + name));
  const { browser, key, port } = deps.guards;
  const guards = { browser: left(browser, 'control '), key: left(key, 'control '), port: left(port, 'port ') };
  return { ...deps, guards, headers: headersBy(left(headerRules)) };
}

export interface Target {
  readonly port: number;
  readonly adminKey: string;
  /** What can be seen of it from within, by which one finds out whether anything was done. */
  traces(): Promise<string>;
  close(): Promise<void>;
}

/** @param gone the protections that it lacks */
export async function target(gone: readonly string[] = [], options: Partial<EngineOptions> = {}): Promise<Target> {
  const deps = without(made(options), gone);
  const { sandboxes } = deps;
  const { url, close } = await listen(engineOf(deps, adminKey), { port: 0, host: '127.0.0.1' });
  const traces = async (): Promise<string> => {
    const held = await Promise.all((await sandboxes.list()).map(({ name }) => sandboxes.get(name)));
    return JSON.stringify(held.map((one) => one && [one.name, one.version, one.journal.list().length]));
  };
  return { port: Number(new URL(url).port), adminKey, traces, close };
}
