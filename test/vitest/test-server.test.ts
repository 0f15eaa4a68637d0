// The server that SACHET_BASE_URL and SACHET_ADMIN_KEY name.
import { afterEach, expect, test, vi } from 'vitest';
import { serverFromEnvironment } from '../../src/node/test-server.ts';

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ['http://localhost:4010', 'local-key-1', { url: 'http://localhost:4010', adminKey: 'local-key-1' }],
  [undefined, 'local-key-1', undefined],
  ['', 'local-key-1', undefined],
  ['http://localhost:4010', undefined, /http:\/\/localhost:4010.*SACHET_ADMIN_KEY/],
  ['http://localhost:4010', '', /http:\/\/localhost:4010.*SACHET_ADMIN_KEY/],
])('the URL %j with the key %j', (url, key, expected) => {
  vi.stubEnv('SACHET_BASE_URL', url);
  vi.stubEnv('SACHET_ADMIN_KEY', key);
  if (expected instanceof RegExp) expect(serverFromEnvironment).toThrow(expected);
  else expect(serverFromEnvironment()).toEqual(expected);
});
