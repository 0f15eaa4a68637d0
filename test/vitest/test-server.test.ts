// The server that SACHET_BASE_URL and SACHET_ADMIN_KEY name.
import { afterEach, expect, test, vi } from 'vitest';
import { serverFromEnvironment } from '../../src/node/test-server.ts';
import { sachetServer } from '../../src/vitest/server.ts';
import { served } from '../library/starts.ts';

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

test('a setup uses it, and warns of the options that it ignores', async () => {
  const adminKey = 'local-key-1';
  const { baseUrl: url } = await served({ adminKey });
  vi.stubEnv('SACHET_BASE_URL', url);
  vi.stubEnv('SACHET_ADMIN_KEY', adminKey);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const provide = vi.fn();
  await sachetServer()({ provide });
  expect(warn).not.toHaveBeenCalled();
  await sachetServer({ port: 4010 })({ provide });
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('ignores its options'));
  expect(provide.mock.calls).toEqual(Array(2).fill(['sachet', { url, adminKey }]));
});
