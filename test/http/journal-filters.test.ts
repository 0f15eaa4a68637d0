// What is asked for of the journal: by a filter, and page by page.
import { describe, expect, test } from 'vitest';
import { controlled } from '../support/control.ts';
import { orderId } from '../support/order-requests.ts';
import { type TestSachet, testSachet } from '../support/sachet.ts';

const stageOf = ({ control }: TestSachet) => control.sandbox('stage');

describe('the filters', () => {
  const allOf = async (sachet: TestSachet) => (await stageOf(sachet).requests.list()).requests;
  const filters = [
    [{ operation: 'orders.get' }, [1, 2]],
    [{ method: 'POST' }, [0, 4]],
    [{ path: '/v2/products' }, [3]],
    [{ path: '/v2/orders/{orderId}' }, [1, 2]],
    [{ path: `/v2/orders/${orderId(1)}` }, [1]],
    [{ status: 401 }, [3]],
    [{ rule: 'malformed_path_id' }, [2]],
    [{ rule: 'ORD-17' }, []],
    [{ since: '2026-11-20T12:01:00Z' }, [3, 4]],
    [{ since: '2026-11-20T12:01:00.001Z' }, []],
    [{ operation: 'orders.get', status: 200 }, [1]],
    [{ limit: 2 }, [0, 1]],
  ] as const;
  test.each(filters)('%j finds what it means, oldest first', async (filter, numbers) => {
    const sachet = testSachet();
    const client = await sachet.login();
    await client.get(`/v2/orders/${orderId(1)}`);
    await client.get('/v2/orders/42');
    await sachet.advance(60_000);
    await sachet.call('GET', '/v2/products');
    await client.post('/v2/orders', {});
    const all = await allOf(sachet);
    const { requests } = await stageOf(sachet).requests.list(filter);
    expect(requests).toEqual(numbers.map((number) => all[number]));
    const { requests: after } = await stageOf(sachet).requests.list({ since: all[2]?.id });
    expect(after).toEqual(all.slice(3));
  });

  test('page by page every entry comes once, also where further calls come', async () => {
    const { sachet, admin } = controlled();
    for (let n = 0; n < 7; n += 1) await sachet.call('GET', `/v2/products?n=${n}`);
    const queries: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await admin('GET', `/sandboxes/stage/requests?limit=3${cursor}`);
      queries.push(...body.requests.map(({ query }: { query: string }) => query));
      if (body.next_cursor === undefined) break;
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
      if (queries.length < 9) await sachet.call('GET', `/v2/products?n=${queries.length / 3 + 6}`);
    }
    expect(queries).toEqual(Array.from({ length: 9 }, (_, n) => `?n=${n}`));
  });
});
