// Under which hosts the command's server answers, by the address that it was told to listen on.
import { expect, test } from 'vitest';
import { serving } from '../support/command.ts';
import { ask } from '../support/page-attacks.ts';

test.each([
  ['an address of loopback', [], 403],
  ['one of loopback, where another host is allowed', ['--allowed-hosts', 'other.example'], 403],
  ['one of loopback, where the host is allowed', ['--allowed-hosts', 'evil.example'], 401],
  ['one of loopback, where the public URL has the host', ['--public-url', 'https://evil.example'], 401],
  ['all addresses', ['--host', '0.0.0.0'], 401],
])('listening on %s', async (_, flags, status) => {
  const { ready } = await serving(flags);
  const port = Number(new URL(ready.url).port);
  const statuses = async (host: string) => (await ask({ port }, '/v2/products', { headers: { host } })).status;
  expect([await statuses('evil.example'), await statuses('localhost')]).toEqual([status, 401]);
});
