// Requests over a port with any headers, also those that fetch forbids.
import { request } from 'node:http';
import { dependenciesOf, engineOf } from '../../../src/app.ts';
import type { EngineOptions } from '../../../src/engine.ts';
import type { Dependencies } from '../../../src/http/dependencies.ts';
import { guards } from '../../../src/http/guards.ts';
import { protectingHeaders } from '../../../src/http/response.ts';
import { listen } from '../../../src/node/listen.ts';
import { fixtures, noon, testStore } from '../../support/sachet.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One request, with these headers and no others but the host. */
export function ask({ port }: Pick<Target, 'port'>, path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const options = { port, path, method, headers: { host: `localhost:${port}`, ...headers }, agent: false };
    const sent = request({ host: '127.0.0.1', ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject).end(body);
  });
}

/** The headers of a browser for a request of a page of another site. */
export const crossSite = (mode: string, dest: string) => ({
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': mode,
  'sec-fetch-dest': dest,
});

const adminKey = 'a-key-that-every-page-knows';
/** Whatever meets a sandbox uses up some of its burst, which is a change of its state. */
const assumptions = { rate_limit: '100/60s' } as const;
const made = (options: Partial<EngineOptions>): Dependencies =>
  dependenciesOf({ fixtures, clock: noon, randomSeed: 'test', assumptions, ...testStore(), ...options, adminKey });

/** All protections: the guards by name, and the headers. */
export const protections = [...Object.keys(guards), ...Object.keys(protectingHeaders.page)];

function without(deps: Dependencies, gone: readonly string[]): Dependencies {
  const left = (headers: object) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !gone.includes(name)));
  const { page, data, service } = deps.headers;
  const pass = () => undefined;
  const open = Object.fromEntries(Object.keys(guards).flatMap((name) => (gone.includes(name) ? [[name, pass]] : [])));
  const headers = { page: left(page), data: left(data), service: left(service) };
  return { ...deps, guards: { ...guards, ...open }, headers };
}

/** @param gone the protections that it lacks */
export async function target(gone: readonly string[] = [], options: Partial<EngineOptions> = {}) {
  const deps = without(made(options), gone);
  const { sandboxes } = deps;
  const { url, close } = await listen(engineOf(deps, adminKey), { port: 0, host: '127.0.0.1' });
  /** Versions and journal lengths of all sandboxes: they change if a request does anything. */
  const traces = async (): Promise<string> => {
    const held = await Promise.all((await sandboxes.list()).map(({ name }) => sandboxes.get(name)));
    return JSON.stringify(held.map((one) => one && [one.name, one.version, one.journal.list().length]));
  };
  return { port: Number(new URL(url).port), adminKey, traces, close };
}

export type Target = Awaited<ReturnType<typeof target>>;
