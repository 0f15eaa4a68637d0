// How the app finds the route of a call: by one regular expression over all routes. One route that does not fit into it would make every call slower.
import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import type { Dependencies } from '../../src/http/dependencies.ts';
import type { App } from '../../src/http/request-context.ts';

const headers = { page: {}, data: {}, service: {} };
const deps = { headers, health: () => ({ status: 'ok', version: '1.0.0' }) } as unknown as Dependencies;
const made = (): App => createApp(deps, () => () => Promise.reject(new Error('no test opens the console')));

/** The router that it has settled on with its first call. */
async function routerOf(app: App): Promise<string> {
  await app.request('/health', {}, {});
  return app.router.name;
}

test('all routes fit into one regular expression', async () => {
  expect(await routerOf(made())).toBe('SmartRouter + RegExpRouter');
});

test('a route that does not fit would be seen', async () => {
  const app = made();
  app.get('/_console/:sandbox', () => new Response());
  app.get('/_console/_assets/:name', () => new Response());
  app.get('/_console/:sandbox/:page', () => new Response());
  expect(await routerOf(app)).not.toBe('SmartRouter + RegExpRouter');
});
