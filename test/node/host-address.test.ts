// What the address that a server listens on means for it: who reaches it, under which names, and what it may show.
import { describe, expect, test } from 'vitest';
import { hostOptions, isLoopback } from '../../src/node/host-address.ts';

describe('only this machine', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.2',
    '127.1',
    'localhost',
    'LocalHost',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
  ])('reaches %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });
  test.each(['0.0.0.0', '::', '192.168.0.1', '128.0.0.1', 'localhost.example', 'sachet', 'fe80::1%eth0', '::2', ''])(
    'is not all that reaches %s',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});

describe('an engine that listens', () => {
  test.each([
    ['127.0.0.1', ['mine.example', 'localhost'], false],
    ['::1', ['mine.example', '[::1]'], false],
    ['0.0.0.0', ['mine.example', 'localhost'], true],
    ['192.168.0.1', ['mine.example', '192.168.0.1'], true],
    ['fe80::1%eth0', ['mine.example'], true],
  ])('on %s knows its hosts, and whether it takes others', (host, allowedHosts, takesAnyHost) => {
    expect(hostOptions(host, { allowedHosts: ['mine.example'] })).toMatchObject({ allowedHosts, takesAnyHost });
  });

  test.each([
    ['on loopback shows any fixtures', '127.0.0.1', { fixtures: 'mine' }, true],
    ['elsewhere shows the shipped ones', '0.0.0.0', {}, true],
    ["elsewhere does not show one's own", '0.0.0.0', { fixtures: 'mine' }, false],
    [
      "behind a public URL does not show one's own",
      '127.0.0.1',
      { fixtures: 'mine', publicUrl: 'https://a.example' },
      false,
    ],
    ['shows them where that was chosen', '0.0.0.0', { fixtures: 'mine', showFixtures: true }, true],
    ['shows none where that was chosen', '127.0.0.1', { showFixtures: false }, false],
  ])('%s', (_, host, chosen, showFixtures) => {
    expect(hostOptions(host, chosen).showFixtures).toBe(showFixtures);
  });
});
