// The case table over a real port: one server, whose sandbox is reset for each case.
import { expect, test } from 'vitest';
import { controlClient } from '../../src/client/control-client.ts';
import { serve } from '../../src/node/index.ts';
import { errorBodyOf, prepare } from '../cases/rejected.ts';
import { rows } from '../cases/table.ts';
import { type CallInit, noon, passwordOf, type TestSachet } from '../support/sachet.ts';

test('each case is rejected over a port as in process', { timeout: 300_000 }, async () => {
  await using server = await serve({ clock: noon, randomSeed: 'test' });
  const { baseUrl: url, adminKey } = server;
  const control = controlClient({ url, adminKey });
  const stage = control.sandbox('stage');
  const call = async (method: string, path: string, { body, raw, headers }: CallInit = {}) => {
    const sent = raw ?? (body === undefined ? null : JSON.stringify(body));
    const type = sent === null ? {} : { 'content-type': 'application/json' };
    const response = await fetch(url + path, { method, body: sent, headers: { ...type, ...headers } });
    return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers };
  };
  const login = async (username: string, { base = '' } = {}) => {
    const credentials = { username, password: passwordOf(username) };
    const { body } = await call('POST', `${base}/v2/authentication/token`, { body: credentials });
    return { token: body.access_token };
  };
  const advance = (milliseconds: number) => stage.clock.advance({ by: `PT${milliseconds / 1000}S` });
  const sachet = { call, login, advance, control } as unknown as TestSachet;

  const received: unknown[] = [];
  for (const { id, rule, given } of rows) {
    await stage.reset();
    await stage.assumptions.set(given.assumptions ?? {});
    const { status, body, headers } = await (await prepare(id, given, sachet)).send();
    received.push({ id, rule, status, body, type: headers.get('content-type') });
  }
  const expected = rows.map(({ id, rule, given: { rejection } }) => {
    return {
      id,
      rule,
      status: rejection.status,
      body: errorBodyOf(rejection),
      type: 'application/json; charset=utf-8',
    };
  });
  expect(received).toEqual(expected);
});
