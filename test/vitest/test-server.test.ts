// The server that the environment names.
import { afterEach, expect, test, vi } from 'vitest';
import { serverFromEnvironment } from '../../src/node/test-server.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

function given(url: string | undefined, key: string | undefined) {
  vi.stubEnv('SACHET_BASE_URL', url);
  vi.stubEnv('SACHET_ADMIN_KEY', key);
  return serverFromEnvironment();
}

test('is named by its URL and the key of its control API', () => {
  const server = { url: 'http://localhost:4010', adminKey: 'local-key-1' };
  expect(given(server.url, server.adminKey)).toEqual(server);
});

test.each([undefined, ''])('is none where the URL is %j, also with a key', (url) => {
  expect(given(url, 'local-key-1')).toBeUndefined();
});

test.each([undefined, ''])('without its key, %j, is an error that names both', (key) => {
  expect(() => given('http://localhost:4010', key)).toThrow(/http:\/\/localhost:4010.*SACHET_ADMIN_KEY/);
});
