// connection: the connection breaks before the call, after it, or in the middle of the answer; in process fetch rejects as a client's does.
import { describe, expect, test } from 'vitest';
import { bareSachet, send } from '../../support/bare-sachet.ts';
import { bent, broken, outcomeOf } from '../../support/bent.ts';
import { someOrder } from '../../support/order-requests.ts';
import { passwordOf } from '../../support/sachet.ts';

const drops = ['before_processing', 'after_processing', 'mid_body'] as const;
type Drop = (typeof drops)[number];
const told = (drop: Drop) => (drop === 'mid_body' ? broken.body : broken.whole);

/** A stage whose orders meet a broken connection once. */
async function dropping(drop: Drop) {
  const world = await bent();
  await world.stage.switches.set({ connection: { drop, burst: 1, match: { operation: 'orders.create' } } });
  return { ...world, lost: () => outcomeOf(world.order()) };
}

describe.each(drops)('%s', (drop) => {
  test('breaks one call and none after it', async () => {
    const { lost, order, stage } = await dropping(drop);
    expect(await lost()).toBe(told(drop));
    expect((await order()).status).toBe(201);
    expect((await stage.switches.get()).connection).toMatchObject({ hits: 1, remaining: 0 });
  });

  test(drop === 'before_processing' ? 'stores no order' : 'stores the order, once', async () => {
    const { lost, stored, client } = await dropping(drop);
    const before = await stored();
    await lost();
    const kept = drop === 'before_processing' ? 0 : 1;
    expect(await stored()).toBe(before + kept);
    const { orders } = (await client.get('/v2/orders?limit=100')).body;
    expect(orders.filter(({ status }: { status: string }) => status === 'Pending')).toHaveLength(1 + kept);
  });

  test('breaks an answer that is a refusal, too, and nothing is stored', async () => {
    const { client, stored } = await dropping(drop);
    const before = await stored();
    expect(await outcomeOf(client.post('/v2/orders', {}))).toBe(told(drop));
    expect(await stored()).toBe(before);
  });

  test('leaves other calls and other sandboxes whole', async () => {
    const { status, sachet, lost } = await dropping(drop);
    const other = await sachet.login('demo+w7');
    expect([await status(), (await other.post('/v2/orders', someOrder())).status]).toEqual([200, 201]);
    expect(await lost()).toBe(told(drop));
  });

  test('by probability breaks the same calls for the same seed', async () => {
    const seen = async (probability: number) => {
      const { stage, client } = await bent();
      await stage.switches.set({ connection: { drop, probability } });
      const outcomes = [];
      for (let n = 0; n < 30; n += 1) outcomes.push(await outcomeOf(client.get('/v2/products')));
      return outcomes;
    };
    const half = await seen(0.5);
    expect(await seen(0.5)).toEqual(half);
    expect(new Set(half)).toEqual(new Set([200, told(drop)]));
    expect(new Set(await seen(0))).toEqual(new Set([200]));
    expect(new Set(await seen(1))).toEqual(new Set([told(drop)]));
  });
});

test('before_processing uses up no id: the order sent again is the one that would have been', async () => {
  const [plain, { lost, order }] = [await bent(), await dropping('before_processing')];
  await lost();
  expect((await order()).text).toBe((await plain.order()).text);
});

test('after_processing stores the very order whose answer is lost', async () => {
  const [plain, { lost, client }] = [await bent(), await dropping('after_processing')];
  const { id } = (await plain.order()).body.order;
  await lost();
  expect((await client.get(`/v2/orders/${id}`)).body.order.status).toBe('Pending');
});

test('a login that breaks after its processing gives no token, and a refresh token is spent by it', async () => {
  const { sachet, stage, client } = await bent({ assumptions: { refresh_token_lifetime: 'single_use' } });
  await stage.switches.set({ connection: { drop: 'after_processing', burst: 1 } });
  const refresh = () =>
    sachet.call('POST', '/v2/authentication/refresh-token', { body: { refresh_token: client.refreshToken } });
  expect([await outcomeOf(refresh()), await outcomeOf(refresh())]).toEqual([broken.whole, 401]);
});

describe('what fetch gives', () => {
  async function bare(drop: Drop) {
    const sachet = bareSachet();
    const login = { username: 'demo', password: passwordOf('demo') };
    const { access_token: token } = (await (
      await send(sachet, 'POST', '/v2/authentication/token', { body: login })
    ).json()) as { access_token: string };
    await sachet.control.sandbox('stage').switches.set({ connection: { drop } });
    return { fetching: send(sachet, 'POST', '/v2/orders', { token, body: someOrder() }), sachet };
  }

  test.each(['before_processing', 'after_processing'] as const)(
    'of %s is a rejection: a TypeError `fetch failed` whose cause is an ECONNRESET',
    async (drop) => {
      const error: unknown = await (await bare(drop)).fetching.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
    },
  );

  test('of mid_body is the whole head, then half of the body, then the break', async () => {
    const { fetching } = await bare('mid_body');
    const response = await fetching;
    expect([response.status, response.headers.get('content-type')]).toEqual([201, 'application/json; charset=utf-8']);
    const length = Number(response.headers.get('content-length'));
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(first?.value?.byteLength).toBe(Math.ceil(length / 2));
    expect(new TextDecoder().decode(first?.value)).toMatch(/^\{"order":\{"id":"/);
    await expect(reader?.read()).rejects.toMatchObject({ message: 'terminated', cause: { code: 'ECONNRESET' } });
  });
});

describe('after "success"', () => {
  const afterSuccess = (drop: 'after_processing' | 'mid_body', burst = 1) =>
    ({ connection: { drop, after: 'success', burst, match: { operation: 'orders.create' } } }) as const;

  test.each(['after_processing', 'mid_body'] as const)('%s waits for an order that is stored', async (drop) => {
    const { sachet, stage, client, order, stored } = await bent();
    const before = await stored();
    await stage.switches.set(afterSuccess(drop));
    const refused = [
      await sachet.call('POST', '/v2/orders', { body: someOrder() }),
      await client.post('/v2/orders', {}),
      await order({ consumer: { id: '99999999-9999-4999-8999-999999999999' } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 422, 422]);
    expect((await stage.switches.get()).connection).toMatchObject({ hits: 0, remaining: 1 });
    expect(await outcomeOf(order())).toBe(told(drop));
    expect(await stored()).toBe(before + 1);
    expect((await stage.switches.get()).connection).toMatchObject({ hits: 1, remaining: 0 });
    expect((await order()).status).toBe(201);
  });

  test('is counted exactly among calls at the same time', async () => {
    const { stage, client, order } = await bent();
    await stage.switches.set(afterSuccess('after_processing', 3));
    const calls = [...Array.from({ length: 8 }, () => order()), client.post('/v2/orders', {})];
    const outcomes = await Promise.all(calls.map(outcomeOf));
    expect(outcomes.filter((outcome) => outcome === broken.whole)).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 201)).toHaveLength(5);
    expect((await stage.switches.get()).connection).toMatchObject({ hits: 3, remaining: 0 });
  });

  test('of a fault, too, and the journal names the fault', async () => {
    const { stage, order } = await bent();
    await stage.faults.create({ id: 'slow', delay: { milliseconds: 1 } });
    await stage.faults.create({ id: 'lost', drop: 'after_processing', after: 'success', times: 1 });
    expect((await order({ consumer: {} })).headers.get('sandbox-fault')).toBe('slow');
    expect(await outcomeOf(order())).toBe(broken.whole);
    const { requests } = await stage.requests.list();
    expect(requests.at(-1)).toMatchObject({ status: 201, decision: { faults: ['slow', 'lost'] } });
    expect((await stage.faults.get('lost')).remaining).toBe(0);
  });

  test('the scenario lost-answer loses the answer to the first order that is stored', async () => {
    const { sachet, stage, order, stored } = await bent();
    const before = await stored();
    await stage.scenarios.apply('lost-answer');
    expect((await sachet.call('POST', '/v2/orders', { body: someOrder() })).status).toBe(401);
    expect((await order({ order_lines: [] })).status).toBe(422);
    expect(await outcomeOf(order())).toBe(broken.whole);
    expect(await stored()).toBe(before + 1);
  });
});
