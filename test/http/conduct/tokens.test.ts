// The rules about tokens: what counts as one refresh, which calls were in flight beside a rejection, and what must follow it.
import { expect, test } from 'vitest';
import { type Client, isReplicated } from '../../support/sachet.ts';
import { refresh } from '../../support/tokens.ts';
import { afterSteps, type ConductCase, expectOutcomes, idOf, type Judged, judged, turn } from './judged.ts';

const products = 'GET products';
const rejectProducts = ({ stage }: Judged) =>
  stage.faults.create({ status: 401, match: { operation: 'products.list' } });
const failRefresh = turn({ server_error: { burst: 1, match: { operation: 'authentication.refresh' } } });
const loseLogin = turn({
  connection: { drop: 'after_processing', burst: 1, match: { operation: 'authentication.token' } },
});
/** A call with the token of the first login. */
const first = ({ client }: Judged) => client.get('/v2/fulfillments');

const twice = { refresh_on_401: /^The client refreshed one rejected token twice\. / };
const renewed = ['renew', products];

test.each<ConductCase>([
  ['two refreshes for one rejected token at once', twice, ['expire', products, 'refresh + refresh']],
  ['two refreshes, one after the other', twice, ['expire', products, 'refresh', 'refresh']],
  [
    'a call whose repetition was lost',
    { refresh_on_401: 'pass' },
    ['expire', 'order', 'renew', 'cut after_processing', 'order', 'GET orders'],
  ],
  [
    'a login in place of a refresh',
    { refresh_on_401: 'fail', token_reuse: 'not_exercised' },
    ['expire', products, 'log in', products],
  ],
  [
    'a login after a rejected refresh',
    { refresh_on_401: 'pass', token_reuse: 'not_exercised', no_dead_token: 'pass' },
    ['31 days', products, 'refresh', 'log in', products],
  ],
  [
    'a late call with the old token after that',
    { refresh_on_401: 'pass' },
    ['31 days', products, 'refresh', 'log in', products, first, 'GET fulfillments'],
  ],
  [
    'a refresh each day',
    { refresh_on_401: 'pass', no_dead_token: 'pass' },
    ['1 days', products, ...renewed, '1 days', products, ...renewed],
  ],
  [
    'refreshes of tokens that live shortly',
    { refresh_on_401: 'not_exercised' },
    [turn({ token_expiry: { lifetime_seconds: 20 } }), ...renewed, '15 s', ...renewed, '15 s', ...renewed, '15 s'],
  ],
  ['a 401 that stays after the refresh', { refresh_on_401: 'pass' }, [rejectProducts, products, ...renewed]],
  [
    'a refresh for a 401 that stays after another',
    { refresh_on_401: 'fail' },
    [rejectProducts, products, ...renewed, ...renewed],
  ],
  [
    'a refresh for another 401',
    { refresh_on_401: 'pass' },
    ['expire', products, ...renewed, '401 fails', products, ...renewed],
  ],
  [
    'a failed refresh that is repeated',
    { refresh_on_401: 'pass' },
    ['expire', products, failRefresh, 'refresh', ...renewed],
  ],
  ['a login of a client whose login was cleared', { token_reuse: 'fail' }, ['clear', products, 'log in']],
  [
    'a new token that a fault rejects at once',
    { no_dead_token: 'pass' },
    [rejectProducts, products, ...renewed, 'GET fulfillments'],
  ],
  [
    'logins after a day, and after one whose response was lost',
    { token_reuse: 'pass' },
    ['1 days', 'log in', products, '1 days', loseLogin, 'log in', 'log in', products, products],
  ],
  [
    'a login when the token expired by the second in which it was issued',
    { token_reuse: 'pass' },
    ['999 ms', 'log in read-only', products, products, '86399001 ms', 'log in read-only', products],
  ],
])('%s', expectOutcomes);

// Several servers do not know exactly when a call in process had its response: within a second the client may not have had it.
const dead = { refresh_on_401: 'fail', no_dead_token: 'fail' } as const;
test.skipIf(isReplicated).each<ConductCase>([
  ['a dead token although there is another', dead, ['expire', products, ...renewed, first]],
  ['a dead token of a client whose login was cleared', dead, ['clear', 'expire', products, ...renewed, first]],
])('%s', expectOutcomes);

test('the evidence is the call that was not repeated, or each refresh that was rejected', async () => {
  const world = await afterSteps(['expire', products]);
  const other = await world.client.get('/v2/fulfillments');
  const refreshed = await world.refresh();
  await world.sachet.client(refreshed.body.access_token).get('/v2/products');
  const { outcome, evidence, advice } = await world.ruled('refresh_on_401');
  expect([outcome, evidence]).toEqual(['fail', [idOf(other)]]);
  expect(advice).toMatch(/^The client did not repeat a call after its 401\. /);
  const late = await afterSteps(['31 days']);
  const rejected = [await late.refresh(), await late.refresh()];
  expect((await late.ruled('no_dead_token')).evidence).toEqual(rejected.map(idOf));
});

test('two users that logged in before the journal was cleared are known by their calls', async () => {
  const { client, sachet, stage, expireTokens, outcome } = await judged();
  const users: Client[] = [client, await sachet.login('read-only')];
  await stage.requests.clear();
  await expireTokens();
  for (const user of users) await user.get('/v2/products');
  for (const { refreshToken } of users)
    await sachet.client((await refresh(sachet, refreshToken)).body.access_token).get('/v2/products');
  expect(await outcome('refresh_on_401')).toBe('pass');
});

test('a token that a restore makes the same as a rejected one may be used', async () => {
  const world = await afterSteps(['snapshot', 'log in', '401 fails', products]);
  const { token } = world.newest;
  await world.stage.snapshots.restore('base');
  const again = await world.sachet.login();
  expect(again.token).toBe(token);
  await again.get('/v2/products');
  expect(await world.outcome('no_dead_token')).toBe('pass');
});
