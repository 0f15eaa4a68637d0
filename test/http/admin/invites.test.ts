// Invites: a link hands out the logins and the key of a sandbox once, until it expires.
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEngine } from '../../../src/app.ts';
import { bounds } from '../../../src/contract/control/bounds.ts';
import { createChaosStore } from '../../support/chaos-store.ts';
import { bearer, type Controlled, controlled, failureOf, machineAt } from '../../support/control.ts';
import { unknownId } from '../../support/order-requests.ts';
import { bareSachet, fixtures, isReplicated, origin, send } from '../../support/sachet.ts';
import { logIn, present } from '../../support/tokens.ts';

const day = 86_400_000;
const used = 'This invite link was used already; ask your host for a new one';
const expired = 'This invite link has expired; ask your host for a new one';
const invalid = 'This is not a valid invite link; copy the whole link, or ask your host for a new one';

const tokenIn = (url: string): string => url.split('#token=')[1] ?? '';

/** Creates a sandbox with an invite, and returns the token of its link. */
async function invite({ admin }: Controlled, name: string, options: object = {}): Promise<string> {
  const { status, text, body } = await admin('POST', '/sandboxes', { name, invite: {}, ...options });
  expect(status, text).toBe(201);
  return tokenIn(body.invite.url);
}

const claim = ({ input }: Controlled, sandbox: string, token: string) =>
  input('POST', '/_admin/claim', { body: { sandbox, token } });

const inviteStatus = async ({ admin }: Controlled, name: string) =>
  (await admin('GET', `/sandboxes/${name}`)).body.invite?.status;

test('a link leads to a sandbox with logins and a key of its own, once', async () => {
  const server = controlled();
  const created = await server.admin('POST', '/sandboxes', { name: 'acme', scenario: 'slow-service', invite: {} });
  const { invite: link, ...sandbox } = created.body;
  expect(sandbox).toMatchObject({ has_own_key: true, ttl_seconds: 14 * 86_400, logins: [], key: null });
  expect(link.url).toMatch(/^http:\/\/localhost:4010\/_console\/acme\/claim#token=\w{52}$/);
  expect(await inviteStatus(server, 'acme')).toBe('open');

  const { status, body } = await claim(server, 'acme', tokenIn(link.url));
  expect([status, body.console_url]).toEqual([200, 'http://localhost:4010/_console/acme']);
  const [{ username, password }] = body.logins;
  expect(password).not.toBe('sachet-demo');
  expect((await logIn(server.sachet, username, password, body.base_url)).status).toBe(200);
  const asGuest = async (method: string, path: string) =>
    (await server.input(method, `/_admin/sandboxes${path}`, { headers: bearer(body.key) })).status;
  expect(await asGuest('POST', '/acme/reset')).toBe(200);
  for (const path of ['', '/stage']) expect(await asGuest('GET', path)).toBe(401);

  // The reset has not made the link new.
  expect(failureOf(await claim(server, 'acme', tokenIn(link.url)))).toEqual([410, used]);
  const { sandboxes } = (await server.admin('GET', '/sandboxes')).body;
  const statuses = sandboxes.map((one: typeof sandbox) => [one.name, one.invite?.status]);
  expect(statuses).toContainEqual(['acme', 'claimed']);
  expect(statuses).toContainEqual(['stage', undefined]);
});

test('nothing about a guest follows from the random seed of the server, and nothing stored shows the key', async () => {
  const claimed = await Promise.all(
    [controlled({ randomSeed: 'known' }), controlled({ randomSeed: 'known' })].map(async (server) => {
      const { body } = await claim(server, 'acme', await invite(server, 'acme'));
      return { ...body, stored: JSON.stringify((await server.sachet.sandbox('acme')).identity) };
    }),
  );
  const secrets = claimed.flatMap(({ key, logins: [login] }) => [key, login.password]);
  expect(new Set(secrets).size).toBe(4);
  for (const { key, stored } of claimed) expect(stored).not.toContain(key);
});

// Each of several servers counts for itself.
test.skipIf(isReplicated)(
  'a wrong token and an unknown sandbox are rejected alike; after some, the next has to wait a minute',
  async () => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const server = controlled();
    const token = await invite(server, 'acme');
    const other = await invite(server, 'other');
    for (const [name, wrong] of [
      ['nobody', token],
      ['stage', token],
      ['acme', other],
    ] as const)
      expect(failureOf(await claim(server, name, wrong)), name).toEqual([404, invalid]);
    const more = await Promise.all(Array.from({ length: bounds.wrongClaims }, () => claim(server, 'acme', 'wrong')));
    expect(more.map((one) => one.status)).toEqual([...Array(bounds.wrongClaims - 1).fill(404), 429]);
    const { status, headers } = await claim(server, 'acme', token);
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
    expect((await claim(server, 'other', other)).status).toBe(200);
    move(60_000);
    expect((await claim(server, 'acme', token)).status).toBe(200);
  },
);

test.skipIf(isReplicated)(
  'the calls to an invited sandbox are limited per minute, those of its host are not',
  async () => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const { guestCalls } = bounds;
    onTestFinished(() => void Object.assign(bounds, { guestCalls }));
    Object.assign(bounds, { guestCalls: 3 });
    const server = controlled();
    const { body: guest } = await claim(server, 'acme', await invite(server, 'acme'));
    await invite(server, 'other');
    const call = (sandbox: string) => server.input('GET', `/sandboxes/${sandbox}/v2/products`);
    const control = (key: string) => server.input('GET', '/_admin/sandboxes/acme/clock', { headers: bearer(key) });
    const page = async (path: string) => (await server.sachet.call('GET', `/sandboxes/acme${path}`)).status;
    const [{ username, password }] = guest.logins;
    const { access_token } = (await logIn(server.sachet, username, password, '/sandboxes/acme')).body;
    expect([(await call('acme')).status, await page('/_storage/x.pdf')]).toEqual([401, 403]);

    const rejected = await call('acme');
    expect([rejected.body.message, rejected.headers.get('sandbox-rule')]).toEqual(['Too Many Requests', 'max_calls']);
    const { requests } = (await server.admin('GET', '/sandboxes/acme/requests')).body;
    expect(requests.at(-1)).toMatchObject({ status: 429, rules: ['max_calls'] });
    for (const path of ['/_storage/x.pdf', '/_tracking/x', '/nothing']) expect(await page(path), path).toBe(429);
    expect(rejected.headers.get('sandbox-reason')).toMatch(/ Retry-After is 60$/);

    // A stranger has not used up the calls of the guest.
    const byToken = async (base = '') => (await present(server.sachet, access_token, base)).status;
    expect([(await control(guest.key)).status, await byToken('/sandboxes/acme'), await byToken()]).toEqual([
      200, 200, 200,
    ]);
    expect(await byToken()).toBe(429);
    const controlCall = await control(guest.key);
    expect(controlCall.body.message).toContain(`at most ${guestCalls} calls a minute`);
    expect(controlCall.body.message).toMatch(/ Retry-After: 60$/);
    for (const { status, headers } of [rejected, controlCall])
      expect([status, headers.get('retry-after')]).toEqual([429, '60']);

    for (const sandbox of ['other', 'stage']) expect((await call(sandbox)).status, sandbox).toBe(401);
    expect((await server.admin('GET', '/sandboxes/acme/clock')).status).toBe(200);
    move(60_000);
    expect((await call('acme')).status).toBe(401);
    // A call of MCP counts, too.
    expect((await server.input('GET', '/_mcp', { headers: bearer(guest.key) })).status).toBe(405);
    for (const status of [200, 200, 429]) expect((await control(guest.key)).status).toBe(status);
    await server.admin('DELETE', '/sandboxes/acme');
    const { body: next } = await claim(server, 'acme', await invite(server, 'acme'));
    expect((await control(next.key)).status).toBe(200);
  },
);

// Several servers take the time from their database.
describe.skipIf(isReplicated)('a link expires', () => {
  test.each([
    ['after a week', {}, 7 * day],
    ['when the invite says', { invite: { expires_in_seconds: 60 } }, 60_000],
  ])('%s', async (_, options, lifetime) => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const server = controlled();
    const [token, other] = [await invite(server, 'acme', options), await invite(server, 'other', options)];
    move(lifetime - 1);
    expect((await claim(server, 'acme', token)).status).toBe(200);
    move(1);
    expect(failureOf(await claim(server, 'other', other))).toEqual([410, expired]);
    expect(await inviteStatus(server, 'other')).toBe('expired');
  });

  test('and its sandbox is deleted after its days to live without use', async () => {
    const move = machineAt('2026-11-20T08:00:00Z');
    const server = controlled();
    const { body } = await server.admin('POST', '/sandboxes', { name: 'acme', ttl_seconds: 86_400, invite: {} });
    expect(body.invite.expires_at).toBe('2026-11-21T08:00:00.000Z');
    move(day);
    expect(failureOf(await claim(server, 'acme', tokenIn(body.invite.url)))).toEqual([404, invalid]);
  });
});

test('of claims at once at two servers over one store, exactly one wins; a restart keeps that', async () => {
  const store = createChaosStore({ isShared: true });
  const { adminKey, fetch } = bareSachet({ store });
  const [first, second, restarted] = [0, 1, 2].map(() => createEngine({ fixtures, adminKey, store }));
  const options = { token: adminKey, body: { name: 'acme', invite: {} } };
  const created = await (await send({ fetch }, 'POST', '/_admin/sandboxes', options)).json();
  const body = { sandbox: 'acme', token: tokenIn(created.invite.url) };
  const claimAt = async (engine: typeof first) =>
    engine && (await send(engine, 'POST', '/_admin/claim', { body })).status;
  const statuses = await Promise.all([first, second, first, second].map(claimAt));
  expect(statuses.toSorted()).toEqual([200, 410, 410, 410]);
  expect(await claimAt(restarted)).toBe(410);
});

describe('limits', () => {
  test('an invite takes a place of --max-sandboxes', async () => {
    const server = controlled({ maxSandboxes: 3 });
    // Servers with a database create the built-in ones when they are needed.
    await server.admin('GET', '/sandboxes');
    await invite(server, 'acme');
    const refused = await server.admin('POST', '/sandboxes', { name: 'other', invite: {} });
    expect(failureOf(refused)).toEqual([422, expect.stringContaining('already has 3 sandboxes, the maximum')]);
  });

  test(`a collection of a guest has at most ${bounds.guestRecords} records`, async () => {
    const server = controlled();
    const [consumer] = fixtures.consumers;
    const consumers = Array.from({ length: bounds.guestRecords }, (_, n) => ({
      ...consumer,
      id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      email: `${n}@example.com`,
    }));
    const full = { fixtures: { consumers, orders: [], fulfillments: [] } };
    const { body } = await claim(server, 'acme', await invite(server, 'acme', full));
    const record = { ...consumer, id: unknownId, email: 'one-more@example.com' };
    const init = { body: record, headers: bearer(body.key) };
    const refused = await server.input('POST', '/_admin/sandboxes/acme/consumers', init);
    expect(failureOf(refused)).toEqual([422, 'The sandbox must have room for another record']);
  });

  test.each([
    [{ own_key: true }, 'An invited sandbox gets its own key at the claim; omit own_key'],
    [{ random_seed: '1' }, 'The key and the passwords of a guest come from a secret seed; omit random_seed'],
    [
      { invite: { expires_in_seconds: bounds.inviteSeconds + 1 } },
      expect.stringContaining('invite.expires_in_seconds'),
    ],
  ])('%o is refused', async (options, message) => {
    const { admin } = controlled();
    expect(failureOf(await admin('POST', '/sandboxes', { invite: {}, ...options }))).toEqual([422, message]);
  });

  test('a page of another origin cannot claim', async () => {
    const server = controlled();
    const token = await invite(server, 'acme');
    const init = { body: { sandbox: 'acme', token }, headers: { origin: 'https://evil.example' } };
    expect((await server.input('POST', '/_admin/claim', init)).status).toBe(403);
    const own = { ...init, headers: { origin } };
    expect((await server.input('POST', '/_admin/claim', own)).status).toBe(200);
  });
});
