// A Sachet for tests, which clients use through fetch. Each response is checked against the published document.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { createEngine } from '../../src/app.ts';
import { type ControlClient, controlClient } from '../../src/client/control-client.ts';
import type { Engine, EngineOptions } from '../../src/engine.ts';
import { loadFixtures, loadScenarios } from '../../src/node/load-files.ts';
import type { HostedSandbox } from '../../src/sandbox/hosted-sandbox.ts';
import { advance } from '../../src/state/clock.ts';
import type { Store } from '../../src/state/store.ts';
import { StateFolder } from '../../src/stores/folder/state-folder.ts';
import { replicaStores } from '../node/postgres/support/replica-stores.ts';
import { createChaosStore } from './chaos-store.ts';
import { hastyDisk } from './hasty-disk.ts';
import { publishedFetch } from './openapi-document.ts';

/** The shipped fixtures. */
export const fixtures = loadFixtures(fileURLToPath(new URL('../../fixtures', import.meta.url)));

/** The shipped scenarios. */
export const scenarios = loadScenarios(fileURLToPath(new URL('../../scenarios', import.meta.url)));

/** The time of the frozen clock in every test. */
export const noon = '2026-11-20T12:00:00.000Z';
export const hour = 3_600_000;
export const day = 24 * hour;
/** The time so many milliseconds after noon. */
export const afterNoon = (milliseconds: number): string => new Date(Date.parse(noon) + milliseconds).toISOString();

export const origin = 'http://localhost:4010';

/** A response. `body` is the parsed JSON, undefined for another media type. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as a client does, field by field
  readonly body: any;
  readonly text: string;
  readonly headers: Headers;
}

export interface CallInit {
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The password of a user of the shipped fixtures. */
export const passwordOf = (username: string): string =>
  fixtures.users.find((user) => user.username === username.replace(/\+.*$/, ''))?.password ?? 'unknown';

export function testSachet(options: Partial<EngineOptions> = {}) {
  const { fetch, sandboxes, control, adminKey } = bareSachet(options);

  /** Calls any path, relative to the plain base URL or absolute. */
  async function call(method: string, path: string, init: CallInit = {}): Promise<Answer> {
    const sent = init.raw ?? (init.body === undefined ? undefined : JSON.stringify(init.body));
    const type: Record<string, string> = sent === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(new URL(path, origin), {
      method,
      headers: { ...type, ...init.headers },
      ...(sent === undefined ? {} : { body: sent }),
      // A body that is not text may be a stream.
      ...(init.raw === undefined ? {} : { duplex: 'half' }),
    });
    const { status, headers } = response;
    const text = await response.text();
    const json = headers.get('content-type') === 'application/json; charset=utf-8';
    const body = json && text ? JSON.parse(text) : undefined;
    const isErrorBodyDue = status >= 400 && method !== 'HEAD' && /\/v2\//.test(path);
    if (isErrorBodyDue) expect(body?.statusCode, `${method} ${path} ${status}: ${text}`).toBe(status);
    return { status, body, text, headers };
  }

  /** Calls with a token; paths are relative to the base URL. */
  function client(token: string, base = '', refreshToken = '') {
    const headers = { authorization: `Bearer ${token}` };
    const to =
      (method: string) =>
      (path: string, body?: unknown, init: CallInit = {}): Promise<Answer> =>
        call(method, base + path, { body, ...init, headers: { ...headers, ...init.headers } });
    return {
      token,
      refreshToken,
      get: (path: string, init?: CallInit) => to('GET')(path, undefined, init),
      post: to('POST'),
      patch: to('PATCH'),
    };
  }

  /** @param options `base` is the path of a base URL, such as `/sandboxes/production` */
  async function login(username = 'demo', { password = passwordOf(username), base = '' } = {}): Promise<Client> {
    const answer = await call('POST', `${base}/v2/authentication/token`, { body: { username, password } });
    expect(answer.status, answer.text).toBe(200);
    return client(answer.body.access_token, base, answer.body.refresh_token);
  }

  async function sandbox(name = 'stage'): Promise<HostedSandbox> {
    const found = await sandboxes.get(name);
    if (!found) throw new Error(`there is no sandbox ${name}`);
    return found;
  }

  return {
    call,
    login,
    client,
    sandbox,
    /** Moves the clock of a sandbox on. */
    advance: async (milliseconds: number, name?: string): Promise<void> =>
      (await sandbox(name)).write((draft) => advance(draft, milliseconds)),
    control,
    adminKey,
  };
}

export type TestSachet = ReturnType<typeof testSachet>;
export type Client = ReturnType<TestSachet['client']>;

/** The store of this run, as TEST_STORE says; without one, servers keep their state in memory. */
export function testStore(): Pick<EngineOptions, 'store'> {
  if (process.env.TEST_STORE === 'chaos') return { store: createChaosStore() };
  return process.env.TEST_STORE === 'folder' ? { store: folderStore() } : {};
}

/** Opened by the first call of a method. */
function folderStore(): Store {
  const path = mkdtempSync(join(process.env.TEST_STATES ?? '', 'state-'));
  const opening = StateFolder.open({ fs: hastyDisk, path, sync: 'always', notify: () => undefined });
  return {
    names: async () => (await opening).names(),
    load: async (...asked) => (await opening).load(...asked),
    append: async (...asked) => (await opening).append(...asked),
    remove: async (name) => (await opening).remove(name),
    problem: () => undefined,
  };
}

/** Whether several servers take the requests in turn. */
export const isReplicated = process.env.TEST_STORE === 'postgres';

/** With the store of the options, or that of this run. Of several servers, the parts of the first are returned. */
export function testEngine(options: EngineOptions): Engine {
  if (!isReplicated || options.store) return createEngine({ ...testStore(), ...options });
  const stores = replicaStores(options.maxSandboxes !== undefined);
  const first = createEngine({ ...options, store: stores[0] });
  const { adminKey } = first;
  return inTurn([first, ...stores.slice(1).map((store) => createEngine({ ...options, adminKey, store }))]);
}

function inTurn(engines: readonly Engine[]): Engine {
  let calls = 0;
  const next = (): Engine => {
    calls += 1;
    return engines[(calls - 1) % engines.length] as Engine;
  };
  return {
    ...(engines[0] as Engine),
    fetch: (...asked) => next().fetch(...asked),
    app: { fetch: (request, bindings) => next().app.fetch(request, bindings) },
    close: () => {
      for (const engine of engines) engine.close();
    },
  };
}

export interface BareSachet extends Engine {
  readonly control: ControlClient;
}

export function bareSachet(options: Partial<EngineOptions> = {}): BareSachet {
  const base = { fixtures, scenarios, clock: noon, randomSeed: 'test' };
  const sachet = testEngine({ ...base, ...options });
  const fetch = publishedFetch(sachet.fetch, { ...base, ...options });
  return { ...sachet, fetch, control: controlClient({ url: origin, adminKey: sachet.adminKey, fetch }) };
}

/** Sends a request; paths are relative to the plain base URL. */
export function send(
  { fetch }: Pick<Engine, 'fetch'>,
  method: string,
  path: string,
  { token, body }: { readonly token?: string | undefined; readonly body?: unknown } = {},
): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return fetch(new URL(path, origin), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
