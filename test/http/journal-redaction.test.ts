// No secret leaves the server through the journal: in its place is a tag, equal for equal secrets of one sandbox.
import { expect, test } from 'vitest';
import { follow } from '../support/follower.ts';
import { type BareSachet, bareSachet, origin, send } from '../support/sachet.ts';

const password = 'sachet-demo';
const wrongPassword = 'correct horse battery staple';
const tagPattern = /\[redacted [0-9a-f]{8}\]/;

// biome-ignore lint/suspicious/noExplicitAny: a test reads a response as a client does, field by field
const json = async (answering: Promise<Response>): Promise<any> => (await answering).json();

/** Makes calls with every secret that there is; the secrets by name. */
async function useSecrets(sachet: BareSachet): Promise<Record<string, string>> {
  const post = (path: string, body: object) => json(send(sachet, 'POST', `/v2/authentication/${path}`, { body }));
  await post('token', { username: 'demo', password: wrongPassword });
  await post('token', { username: 7, password: wrongPassword });
  const { access_token: token, refresh_token } = await post('token', { username: 'demo', password });
  const { access_token: refreshed } = await post('refresh-token', { refresh_token });
  await post('refresh-token', { refresh_token: [token] });
  const { fulfillments } = await json(send(sachet, 'GET', '/v2/fulfillments', { token: refreshed }));
  const label = new URL(fulfillments[0].label_url);
  await send(sachet, 'GET', `/v2/fulfillments/${fulfillments[0].id}`, { token });
  await send(sachet, 'GET', label.href);
  await send(sachet, 'GET', label.href.replace('X-Amz-Expires=900', 'X-Amz-Expires=901'));
  await send(sachet, 'GET', `/v2/orders${label.search}&access_token=${token}`, { token });
  await sachet.fetch(`${origin}/v2/products`, {
    headers: { authorization: `Basic ${btoa(wrongPassword)}`, cookie: `session=${refreshed}` },
  });
  const signatures = [token, refresh_token, refreshed].map((jwt, n) => [`signature ${n}`, jwt.split('.')[2]]);
  const signature = label.searchParams.get('X-Amz-Signature') ?? '';
  const tokens = { token, refresh_token, refreshed, signature, ...Object.fromEntries(signatures) };
  return { password, wrongPassword, basic: btoa(wrongPassword), ...tokens };
}

test('no secret is in an entry, the archive, a verification or an event', async () => {
  const sachet = bareSachet();
  const follower = await follow(sachet);
  const secrets = await useSecrets(sachet);
  await sachet.control.sandbox('stage').faults.create({ id: 'the-last', status: 500 });
  const events = [];
  for (let event = await follower.next(); event; event = await follower.next()) {
    events.push(event);
    if (event.type === 'state' && event.data.changed.includes('levers')) break;
  }
  expect(events.filter(({ type }) => type === 'request').length).toBeGreaterThan(10);

  const admin = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${sachet.adminKey}`, 'content-type': 'application/json' };
    return (await sachet.fetch(`${origin}/_admin/sandboxes/stage/${path}`, { ...init, headers })).text();
  };
  const list = await admin('requests');
  const { requests } = JSON.parse(list) as { requests: { id: string }[] };
  const texts = {
    list,
    archive: await admin('requests.har'),
    entries: (await Promise.all(requests.map(({ id }) => admin(`requests/${id}`)))).join('\n'),
    verification: await admin('requests/verify', { method: 'POST', body: JSON.stringify({ match: {} }) }),
    events: JSON.stringify(events),
  };
  for (const [what, text] of Object.entries(texts)) {
    const found = Object.entries(secrets).filter(
      ([, secret]) => text.includes(secret) || text.includes(encodeURIComponent(secret)),
    );
    expect(found, what).toEqual([]);
    expect(text.split(tagPattern).length, what).toBeGreaterThan(10);
  }
});

test('a secret has one tag in its sandbox, also after a reset, and another in another sandbox', async () => {
  const sachet = bareSachet();
  await sachet.control.create({ name: 'w1' });
  /** The tag of the password; that of the token is the same in the response and in the call that uses it. */
  const tagIn = async (name: string): Promise<string> => {
    const { requests: journal } = sachet.control.sandbox(name);
    const [base, login] = [`/sandboxes/${name}/v2`, { username: 'demo', password }];
    const { access_token } = await json(send(sachet, 'POST', `${base}/authentication/token`, { body: login }));
    await send(sachet, 'GET', `${base}/products`, { token: access_token });
    const [given, used] = (await journal.list()).requests;
    const [sent, received] = [given?.request.body, given?.response?.body] as Record<string, string>[];
    expect(received?.access_token).toMatch(tagPattern);
    expect(used?.request.headers.authorization).toBe(`Bearer ${received?.access_token}`);
    return sent?.password ?? '';
  };
  const tag = await tagIn('stage');
  expect(tag).toMatch(tagPattern);
  expect(await tagIn('w1')).not.toBe(tag);
  await sachet.control.sandbox('stage').reset();
  expect(await tagIn('stage')).toBe(tag);
});
