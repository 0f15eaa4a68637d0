// The addresses that a server listens on, and the values of its flags.
import { createServer, Server } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { adminKey, hosts, integerFrom, names, seconds } from '../../src/node/cli/flags.ts';
import { hostOptions, isLoopback } from '../../src/node/host-address.ts';
import { UsageError } from '../../src/system/exit-errors.ts';
import { served } from '../library/starts.ts';
import { hasV6, listening } from '../support/command.ts';

test('only these addresses are loopback', () => {
  const loopback = ['127.0.0.1', '127.0.0.2', '127.1', 'LocalHost', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1'];
  const others = ['0.0.0.0', '::', '128.0.0.1', 'localhost.example', 'fe80::1%eth0', '::2', ''];
  expect([...loopback, ...others].filter(isLoopback)).toEqual(loopback);
});

test.each([
  ['127.0.0.1', ['mine.example', 'localhost'], false],
  ['::1', ['mine.example', '[::1]'], false],
  ['0.0.0.0', ['mine.example', 'localhost'], true],
  ['fe80::1%eth0', ['mine.example'], true],
])('on %s a server allows the hosts %j; any other: %s', (host, allowedHosts, takesAnyHost) => {
  expect(hostOptions(host, { allowedHosts: ['mine.example'] })).toMatchObject({ allowedHosts, takesAnyHost });
});

test.each([
  ['127.0.0.1', { fixtures: 'mine' }, true],
  ['0.0.0.0', {}, true],
  ['0.0.0.0', { fixtures: 'mine' }, false],
  ['127.0.0.1', { fixtures: 'mine', publicUrl: 'https://a.example' }, false],
  ['0.0.0.0', { fixtures: 'mine', showFixtures: true }, true],
])('on %s with %j the fixtures are shown: %s', (host, options, showFixtures) => {
  expect(hostOptions(host, options).showFixtures).toBe(showFixtures);
});

async function started(host: string, port = 0) {
  const { baseUrl: url, close } = await served({ host, port });
  return { url, close, port: Number(new URL(url).port) };
}

/** The status of /health at both loopback addresses, or the code of the error. */
const health = (port: number, addresses = ['127.0.0.1', '[::1]']): Promise<unknown[]> =>
  Promise.all(
    addresses.map((address) =>
      fetch(`http://${address}:${port}/health`, { headers: { connection: 'close' } }).then(
        ({ status }) => status,
        ({ cause }) => cause.code,
      ),
    ),
  );

/** Lets listening on ::1 fail so many times; returns the number of failures so far. */
function failOnV6(code: string, times = Number.POSITIVE_INFINITY) {
  const { listen: original } = Server.prototype;
  let failures = 0;
  const spy = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...args: unknown[]) {
    const [{ host }] = args as [{ host: string }];
    if (host !== '::1' || failures >= times) return original.apply(this, args as never);
    failures += 1;
    process.nextTick(() => this.emit('error', Object.assign(new Error(code), { code })));
    return this;
  });
  onTestFinished(() => spy.mockRestore());
  return () => failures;
}

// Clients differ in which address of localhost they try.
describe.skipIf(!hasV6)('a server on a machine with IPv6', () => {
  test.each(['127.0.0.1', 'localhost', '0.0.0.0', '::'])(
    'responds on both loopback addresses: --host %s',
    async (host) => {
      const { port, url, close } = await started(host);
      expect(url).toBe(`http://localhost:${port}`);
      expect(await health(port)).toEqual([200, 200]);
      await close();
      expect(await health(port)).toEqual(['ECONNREFUSED', 'ECONNREFUSED']);
    },
  );

  test('responds on ::1 only with --host ::1', async () => {
    const { port, url } = await started('::1');
    expect([url, await health(port)]).toEqual([`http://[::1]:${port}`, ['ECONNREFUSED', 200]]);
  });

  test('needs the port on both addresses, and --port 0 picks one that is free on both', async () => {
    const port = await listening(createServer(), '::1');
    await expect(started('127.0.0.1', port)).rejects.toThrow(`port ${port} on ::1 is in use`);
    expect(await health(port, ['127.0.0.1'])).toEqual(['ECONNREFUSED']);
    const failures = failOnV6('EADDRINUSE', 2);
    expect(await health((await started('127.0.0.1')).port)).toEqual([200, 200]);
    expect(failures()).toBe(2);
  });
});

test.each(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])('without IPv6 (%s) a server responds on 127.0.0.1', async (code) => {
  failOnV6(code);
  expect(await health((await started('127.0.0.1')).port, ['127.0.0.1'])).toEqual([200]);
});

describe('flags', () => {
  const notHosts = ['', ',', 'a,', 'a b', 'a..b', '.a', 'a.', '-a', 'a-', 'a:1', '[::1]:80', 'fe80::1%eth0', '[a]'];
  const more = ['[127.0.0.1]', 'http://a', '//a', 'a/b', 'a?b', 'a@b', '*.a', '256.1.1.1', '1.2.3', 'é.test', 'a\nb'];
  const notNumbers = ['1', '-2', '2.5', '2e3', ' 3', '0x10', '9007199254740993', 'Infinity', ''];
  const notSeconds = ['', '0', '0.0', '-1', '1e3', '.5', '1.', '0.0001', '86400.1', '999999', 'long', '5 s'];

  test.each([
    ['a host', hosts, [...notHosts, ...more, 'x'.repeat(64), 'x.'.repeat(127)], InvalidArgumentError],
    ['a number from 2', integerFrom(2), notNumbers, InvalidArgumentError],
    ['a time in seconds', seconds, notSeconds, InvalidArgumentError],
    ['an admin key', adminKey, ['1234567', 'with blank', 'tab\there', 'ümlaut-key', 'line\nbreak', ''], UsageError],
  ])('reject texts that are not %s', (_, parse: (text: string) => unknown, texts, error) => {
    const wrong = texts.filter((text) => {
      try {
        parse(text);
        return true;
      } catch (thrown) {
        return !(thrown instanceof error);
      }
    });
    expect(wrong).toEqual([]);
  });

  test('accept numbers and times at their limits, lists of hosts, and lists that are repeated', () => {
    expect([integerFrom(2)('2'), integerFrom(2)('1000')]).toEqual([2, 1000]);
    expect(['0.001', '2.5', '86400'].map(seconds)).toEqual([0.001, 2.5, 86_400]);
    expect(() => seconds('0')).toThrow('is not a number of seconds. Use a number above 0, at most 86400.');
    expect(hosts('Sandbox.Example.COM, b')).toEqual(['sandbox.example.com', 'b']);
    expect(hosts('::1,[FE80:0::1]', hosts('a'))).toEqual(['a', '[::1]', '[fe80::1]']);
    expect(names('b, c', names('a'))).toEqual(['a', 'b', 'c']);
  });
});
