// What connect says of a place or a key that is none, before anything is asked and when nothing answers.
import { describe, expect, test } from 'vitest';
import { type ConnectOptions, ControlError } from '../../src/client/control-client.ts';
import { connect } from '../../src/client/sachet.ts';
import { served, thrownBy } from './starts.ts';

const key = 'a-key-of-the-tests';

describe('at once, a TypeError that names what is wrong:', () => {
  test.each([
    ['no URL', { url: '', adminKey: key }, /URL/i],
    ['a host without a scheme', { url: 'localhost:4010', adminKey: key }, /localhost:4010/],
    ['a word', { url: 'nope', adminKey: key }, /"?nope/],
    ['another scheme', { url: 'ftp://localhost', adminKey: key }, /ftp:/],
    ['no key', { url: 'http://localhost:4010', adminKey: '' }, /adminKey/],
    ['a key that no header can carry', { url: 'http://localhost:4010', adminKey: 'a\nb' }, /adminKey/],
  ] satisfies [string, ConnectOptions, RegExp][])('%s', async (_, options, words) => {
    const error = await thrownBy(() => connect(options));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(words);
  });
});

test('the words of an error name what was called: connect', async () => {
  const { message } = await thrownBy(() => connect({ url: 'http://localhost:4010', adminKey: '' }));
  expect(message).not.toContain('controlClient');
});

test('where nothing answers, the first call says where', async () => {
  const server = await served();
  await server.close();
  const { baseUrl: url } = server;
  await expect(connect({ url, adminKey: key }).sandboxes()).rejects.toThrow(`no server answers at ${url}`);
});

test('a wrong key is a ControlError of 401', async () => {
  const { baseUrl: url } = await served();
  const error = await thrownBy(() => connect({ url, adminKey: key }).createSandbox());
  expect(error).toBeInstanceOf(ControlError);
  expect(error).toMatchObject({ status: 401 });
});

test.each(['/', '//'])('a "%s" at the end of the URL does not matter', async (end) => {
  const { baseUrl, adminKey } = await served();
  const sachet = connect({ url: baseUrl + end, adminKey });
  expect(sachet.baseUrl).toBe(baseUrl);
  await using sandbox = await sachet.createSandbox();
  expect((await sandbox.client().get('/v2/products')).status).toBe(200);
  expect(sandbox.baseUrl).toBe(`${baseUrl}/sandboxes/${sandbox.name}`);
});

test('a server under a path of a proxy is reached there', async () => {
  const asked: string[] = [];
  const fetch: ConnectOptions['fetch'] = async (input) => {
    asked.push(String(input));
    return Response.json({ sandboxes: [] });
  };
  const sachet = connect({ url: 'https://demo.test/sachet/', adminKey: key, fetch });
  await sachet.sandboxes();
  await sachet.fetch('/health');
  await sachet.sandbox('w7').fetch('/v2/products');
  expect(asked).toEqual([
    'https://demo.test/sachet/_admin/sandboxes',
    'https://demo.test/sachet/health',
    'https://demo.test/sachet/sandboxes/w7/v2/products',
  ]);
});

test.each(['..', '../stage', '', '.', 'stage#', 'stage?'])(
  'the name %j, which is none, leads nowhere',
  async (name) => {
    const sachet = await served();
    expect(() => sachet.sandbox(name)).toThrow(`"${name}" is not a sandbox name`);
  },
);
