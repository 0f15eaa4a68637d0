// What a correct client does under each shipped scenario, as far as the scenario's own words say it, and what it sees.
import { expect } from 'vitest';
import { downloadOutcome, labelUrlOf } from '../support/labels.ts';
import { fulfillmentId, orderId, orderLine, pouchOf, productId, someOrder } from '../support/order-requests.ts';
import { readAll } from '../support/pages.ts';
import { type Answer, day } from '../support/sachet.ts';
import { broken, outcomeOf, recordDelays, type TestStage } from '../support/stage.ts';
import { present, refresh } from '../support/tokens.ts';

/** Prepares what was there before; gives what is done once the scenario is applied. */
export type CorrectClient = (world: TestStage) => Promise<() => Promise<void>>;

const at = (answer: Answer) => [answer.status, answer.headers.get('sandbox-rule')];

export const correctClients: Readonly<Record<string, CorrectClient>> = {
  'discontinued-product': async ({ order }) => {
    expect((await order()).status).toBe(201);
    return async () => {
      expect(at(await order())).toEqual([422, 'ORD-20']);
      expect((await order({ order_lines: [orderLine(pouchOf(productId(2)))] })).status).toBe(201);
    };
  },
  doorstep: async ({ order, sachet, elapse }) => {
    const { id } = (await order()).body.order;
    return async () => {
      const seen: string[] = [];
      for (let days = 1; days <= 9; days += 1) {
        await elapse(day);
        const { fulfillments } = (await (await sachet.login()).get(`/v2/orders/${id}/fulfillments`)).body;
        seen.push(...fulfillments.map(({ status_id }: { status_id: string }) => status_id));
      }
      expect([seen[0], seen.at(-1)]).toEqual([expect.not.stringMatching('delivered'), 'delivered']);
    };
  },
  'inactive-pag': async ({ order, client }) => {
    const { id } = (await order()).body.order;
    return async () => {
      expect((await order()).body.order.status).toBe('Needs Changes');
      expect((await client.get(`/v2/orders/${id}`)).body.order.status).toBe('Pending');
      expect((await client.patch(`/v2/orders/${id}`, someOrder())).body.order.status).toBe('Needs Changes');
    };
  },
  'label-expiry': async ({ sachet, client, elapse }) => {
    const outcome = async (url: string) => downloadOutcome(await sachet.call('GET', url));
    const kept = await labelUrlOf(client);
    expect(await outcome(kept)).toBe('200');
    return async () => {
      const fresh = await labelUrlOf(client);
      expect([await outcome(kept), await outcome(fresh)]).toEqual(['403 AccessDenied', '200']);
      await elapse(59_999);
      expect(await outcome(fresh)).toBe('200');
      await elapse(1);
      expect([await outcome(fresh), await outcome(await labelUrlOf(client))]).toEqual(['403 AccessDenied', '200']);
    };
  },
  'late-tracking': async ({ client }) => {
    const all = async () => (await client.get('/v2/fulfillments?limit=100')).body.fulfillments;
    const read = async (n: number) => (await all()).find(({ id }: { id: string }) => id === fulfillmentId(n));
    const [delivered, pickedUp] = [await read(23), await read(26)];
    expect([delivered.status_id, pickedUp.status_id]).toEqual(['delivered', 'picked_up']);
    return async () => {
      const [late, twice] = [await read(23), await read(26)];
      expect(late).toMatchObject({ status_id: 'in_transit', delivery_date: delivered.delivery_date });
      expect(twice).toMatchObject({ status_id: 'picked_up', pickup_date: pickedUp.pickup_date });
      expect([late.updated_at > delivered.updated_at, twice.updated_at > pickedUp.updated_at]).toEqual([true, true]);
    };
  },
  'lost-answer': async ({ order, client }) => {
    const list = async () => (await client.get('/v2/orders?limit=100')).body.orders;
    const before = (await list()).length;
    return async () => {
      expect(await outcomeOf(order())).toBe(broken.whole);
      const [found, ...others] = await list();
      expect([found.status, others.length]).toEqual(['Pending', before]);
      expect((await client.get(`/v2/orders/${found.id}`)).status).toBe(200);
    };
  },
  maintenance:
    async ({ sachet, status, elapse }) =>
    async () => {
      const seen = [await status(), (await sachet.call('POST', '/v2/authentication/token', { body: {} })).status];
      for (const pause of [20_000, 40_000, 80_000, 159_999, 1]) {
        await elapse(pause);
        seen.push(await status());
      }
      expect(seen).toEqual([500, 500, 500, 500, 500, 500, 200]);
    },
  'missing-permission':
    async ({ order, client, status }) =>
    async () => {
      const path = `/v2/orders/${orderId(18)}`;
      for (const answer of [await order(), await client.patch(path, someOrder()), await client.post(`${path}/cancel`)])
        expect(at(answer)).toEqual([403, 'AUTH-5']);
      expect([await status(), await status('/v2/orders'), await status(path)]).toEqual([200, 200, 200]);
    },
  'no-pag':
    async ({ order }) =>
    async () =>
      expect(at(await order())).toEqual([422, 'ORD-21']),
  'paging-under-change': async ({ client }) => {
    const all = await readAll(client);
    const pages = [await client.get('/v2/fulfillments?limit=10')];
    return async () => {
      let failures = 0;
      for (let cursor = pages[0]?.body.next_cursor; cursor !== null; ) {
        const page = await client.get(`/v2/fulfillments?limit=10&cursor=${encodeURIComponent(cursor)}`);
        if (page.status === 500) failures += 1;
        else pages.push(page);
        if (page.status === 200) cursor = page.body.next_cursor;
      }
      const ids = pages.flatMap(({ body }) => body.fulfillments.map(({ id }: { id: string }) => id));
      expect([failures, ids]).toEqual([1, all]);
      expect(await readAll(client)).toHaveLength(all.length + 2);
    };
  },
  'rate-limit-burst':
    async ({ order, status, elapse }) =>
    async () => {
      const seen = [];
      for (let n = 0; n < 4; n += 1) {
        const answer = await order();
        seen.push([answer.status, answer.headers.get('retry-after'), await status()]);
        await elapse(60_000);
      }
      expect(seen).toEqual([...Array(3).fill([429, '60', 200]), [201, null, 200]]);
    },
  'server-errors': async ({ order, status, stored }) => {
    const before = await stored();
    return async () => {
      expect([await status(), await status(), await status()]).toEqual([500, 500, 200]);
      const seen = [(await order()).status, (await order()).status, await stored(), (await order()).status];
      expect([...seen, await stored()]).toEqual([500, 500, before, 201, before + 1]);
    };
  },
  'slow-service': async ({ sachet, order, statuses }) => {
    const waited = await recordDelays(sachet);
    return async () => {
      expect([...(await statuses(20)), (await order()).status]).toEqual([...Array(20).fill(200), 201]);
      expect(waited).toHaveLength(21);
      expect(Math.min(...waited)).toBeGreaterThanOrEqual(500);
      expect(Math.max(...waited)).toBeLessThanOrEqual(2000);
    };
  },
  'token-expiry':
    async ({ sachet, client, status }) =>
    async () => {
      expect(await status()).toBe(401);
      const { access_token, expires_in } = (await refresh(sachet, client.refreshToken)).body;
      expect([(await present(sachet, access_token)).status, expires_in]).toEqual([200, 86_400]);
    },
};
