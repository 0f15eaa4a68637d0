// A switch that bends what a call is judged by names itself, in the answer and in the journal.
import { expect, test } from 'vitest';
import type { SandboxControl } from '../../src/client/sandbox-control.ts';
import { storage } from '../support/labels.ts';
import { productId, someOrder } from '../support/order-requests.ts';
import { type Answer, type TestSachet, testSachet } from '../support/sachet.ts';

const faultOf = ({ headers }: Answer) => headers.get('sandbox-fault');
const lastFaults = async (sachet: TestSachet) => {
  const { requests } = await sachet.control.sandbox('stage').requests.list();
  return requests.at(-1)?.decision?.faults;
};

type Case = readonly [
  name: string,
  turn: (stage: SandboxControl) => Promise<unknown>,
  call: (sachet: TestSachet, token: string) => Promise<Answer>,
  status: number,
];
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

const cases: readonly Case[] = [
  [
    'token_expiry',
    (stage) => stage.switches.set({ token_expiry: { expire_issued: true } }),
    (sachet, token) => sachet.call('GET', '/v2/products', bearer(token)),
    401,
  ],
  [
    'token_expiry',
    (stage) => stage.switches.set({ token_expiry: { lifetime_seconds: 5 } }),
    (sachet) =>
      sachet.call('POST', '/v2/authentication/token', { body: { username: 'demo', password: 'sachet-demo' } }),
    200,
  ],
  [
    'inactive_pags',
    (stage) => stage.switches.set({ inactive_pags: { all: true } }),
    (sachet, token) => sachet.call('POST', '/v2/orders', { body: someOrder(), ...bearer(token) }),
    201,
  ],
];

test.each(cases)('%s', async (name, turn, call, status) => {
  const sachet = testSachet();
  const { token } = await sachet.login();
  await turn(sachet.control.sandbox('stage'));
  const answer = await call(sachet, token);
  expect([answer.status, faultOf(answer), await lastFaults(sachet)]).toEqual([status, name, [name]]);
});

test('label_expiry', async () => {
  const { sachet, url, download } = await storage();
  await sachet.control.sandbox('stage').switches.set({ label_expiry: { expire_issued: true } });
  const answer = await download(url);
  expect([answer.status, faultOf(answer)]).toEqual([403, 'label_expiry']);
});

test('a switch that is on and bends nothing is not named', async () => {
  const sachet = testSachet();
  const client = await sachet.login();
  await sachet.control
    .sandbox('stage')
    .switches.set({ inactive_pags: { all: true }, label_expiry: { lifetime_seconds: 5 } });
  expect(faultOf(await client.get(`/v2/products/${productId(1)}`))).toBeNull();
});

test.each(['before_processing', 'after_processing'] as const)('HEAD is broken %s, too', async (drop) => {
  const sachet = testSachet();
  const { token } = await sachet.login();
  await sachet.control.sandbox('stage').switches.set({ connection: { drop, burst: 1 } });
  const head = () => sachet.call('HEAD', '/v2/products', bearer(token));
  await expect(head()).rejects.toThrow('fetch failed');
  expect((await head()).status).toBe(200);
});
