// Two Sachets know nothing of each other, and sandboxes made side by side are each alone.
import { describe, expect, test } from 'vitest';
import { sampleOrder } from '../../src/sample-order.ts';
import { starts } from './starts.ts';

const names = (sandboxes: readonly { readonly name: string }[]) => sandboxes.map(({ name }) => name);

describe.each(starts)('%s', (_, open) => {
  test('two have sandboxes, keys and clocks of their own', async () => {
    const [one, two] = [await open(), await open()];
    const [first, second] = [await one.createSandbox({ name: 'w7' }), await two.createSandbox({ name: 'w7' })];
    expect(one.adminKey).not.toBe(two.adminKey);
    await first.clock.advance({ by: 'P10D' });
    await first.switches.set({ rate_limit: { burst: 100 } });
    await one.createSandbox({ name: 'more' });
    expect((await second.clock.get()).now < (await first.clock.get()).now).toBe(true);
    expect((await second.client().post('/v2/orders', sampleOrder())).status).toBe(201);
    expect(names(await two.sandboxes())).not.toContain('more');
    await one.close();
    expect((await second.client().get('/v2/products')).status).toBe(200);
  });

  test('a token of one is refused by the other', async () => {
    const [one, two] = [await open(), await open()];
    const sandboxes = [await one.createSandbox({ name: 'w7' }), await two.createSandbox({ name: 'w7' })] as const;
    const { username, password } = sandboxes[0].login;
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ username, password }) };
    const { access_token } = await (await sandboxes[0].fetch('/v2/authentication/token', init)).json();
    const statuses = sandboxes.map(async ({ fetch }) => {
      const answer = await fetch('/v2/products', { headers: { authorization: `Bearer ${access_token}` } });
      return answer.status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 401]);
  });

  test('twenty sandboxes side by side see each their own orders, bends and calls', async () => {
    const sachet = await open();
    const each = Array.from({ length: 20 }, async (_, n) => {
      await using sandbox = await sachet.createSandbox({ name: `w${n}` });
      if (n % 2 === 1) await sandbox.switches.set({ rate_limit: { burst: 1, match: { operation: 'orders.create' } } });
      const client = sandbox.client();
      const consumer = { first_name: 'Ada', last_name: `Lovelace ${n}`, email: 'ada@example.com' };
      const statuses = [];
      for (const _ of [1, 2]) statuses.push((await client.post('/v2/orders', sampleOrder({ consumer }))).status);
      const { consumers } = await sandbox.records.consumers.list();
      const own = consumers.flatMap(({ last_name }) => (last_name?.startsWith('Lovelace ') ? [last_name] : []));
      const { requests } = await sandbox.requests.list();
      return { statuses, own: [...new Set(own)], calls: requests.length };
    });
    const expected = Array.from({ length: 20 }, (_, n) => ({
      statuses: [n % 2 === 1 ? 429 : 201, 201],
      own: [`Lovelace ${n}`],
      calls: 3,
    }));
    expect(await Promise.all(each)).toEqual(expected);
    expect(names(await sachet.sandboxes())).toEqual(['production', 'stage']);
  });
});
