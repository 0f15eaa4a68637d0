// Sandboxes that come and go on three servers over one database.
import { describe, expect, test, vi } from 'vitest';
import type { ControlClient } from '../../../src/client/control-client.ts';
import { postMarked } from '../../support/postgres/marked.ts';
import { controlOf, logIn, type Place, postLogin } from '../../support/postgres/partner.ts';
import { ask } from '../../support/postgres/schema.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { loggedIn, namesOf, products, three, unseeded } from '../../support/postgres/three.ts';

const soon = { timeout: 20_000 };

describe.skipIf(postgresMissing())('a sandbox', () => {
  test('that one server has made is there on all, and deleted by one gone on all', async () => {
    const { controls, each } = await three();
    await controls[0].create({ name: 'w1' });
    const base = '/sandboxes/w1';
    expect(await each(loggedIn('demo', base))).toEqual([200, 200, 200]);
    expect(await each(namesOf)).toEqual(Array(3).fill(['production', 'stage', 'w1']));
    await controls[1].sandbox('w1').delete();
    expect(await each(loggedIn('demo', base))).toEqual([404, 404, 404]);
    expect(await each(namesOf)).toEqual(Array(3).fill(['production', 'stage']));
  });

  test('that is deleted and made anew elsewhere is the new one on all', async () => {
    const { places, controls, each } = await three(unseeded);
    const base = '/sandboxes/w1';
    await controls[0].create({ name: 'w1' });
    const token = await logIn(places[0], 'demo', base);
    expect(await each(products(token, base))).toEqual([200, 200, 200]);
    const ordersOf = async (control: ControlClient) => (await control.sandbox('w1').records.orders.list()).orders;
    const shipped = await ordersOf(controls[0]);
    expect((await postMarked(places[0], token, 'mark', base)).status).toBe(201);
    await controls[1].sandbox('w1').delete();
    await controls[2].create({ name: 'w1' });
    for (const control of controls) expect(await ordersOf(control)).toEqual(shipped);
    expect(await each(products(token, base))).toEqual([401, 401, 401]);
    const anew = await logIn(places[1], 'demo', base);
    expect(await each(products(anew, base))).toEqual([200, 200, 200]);
  });

  test('that is created on all at once is made by one of them', async () => {
    const { each } = await three();
    for (let n = 0; n < 10; n += 1) {
      const made = await each((place) =>
        controlOf(place)
          .create({ name: `w${n}` })
          .then(
            () => 201,
            ({ status }) => status,
          ),
      );
      expect(made.toSorted()).toEqual([201, 409, 409]);
    }
  });

  test('that is made by logins on all at once is one', async () => {
    const { places, each } = await three(unseeded);
    for (let n = 0; n < 10; n += 1) {
      const tokens = await each((place) => logIn(place, `demo+w${n}`));
      for (const token of tokens) expect(await each(products(token))).toEqual([200, 200, 200]);
    }
    expect(await namesOf(places[0])).toHaveLength(12);
  });
});

describe.skipIf(postgresMissing())('--max-sandboxes', () => {
  test('holds over all: the one made by login goes that was longest unused on any', async () => {
    const { url, places, each } = await three({ maxSandboxes: 5 });
    for (const [n, name] of ['w1', 'w2', 'w3'].entries()) await logIn(places[n] as Place, `demo+${name}`);
    const byUse = async () => {
      const rows = await ask(url, 'select name from sandboxes where made_by_login order by used_at');
      return rows.map(({ name }) => name);
    };
    // A server tells a moment later what it notes of uses: of that of `w2` together with these, or before.
    await vi.waitFor(async () => {
      for (const name of ['w3', 'w1']) await loggedIn('demo', `/sandboxes/${name}`)(places[1]);
      expect((await byUse())[0]).toBe('w2');
    }, soon);
    await logIn(places[0], 'demo+w4');
    expect(await each(namesOf)).toEqual(Array(3).fill(['production', 'stage', 'w1', 'w3', 'w4']));
    expect(await each(loggedIn('demo', '/sandboxes/w2'))).toEqual([404, 404, 404]);
  });

  test('refuses on all what there is no room for', async () => {
    const { controls } = await three({ maxSandboxes: 3 });
    await controls[0].create({ name: 'w1' });
    for (const control of controls) await expect(control.create({ name: 'w2' })).rejects.toMatchObject({ status: 422 });
  });

  test('holds over all with the next that is made, where many were made at once', async () => {
    const { places, each } = await three({ maxSandboxes: 5 });
    await Promise.all(Array.from({ length: 12 }, (_, n) => postLogin(places[n % 3] as Place, `demo+w${n}`)));
    const token = await logIn(places[0], 'demo+last');
    expect(await each(products(token))).toEqual([200, 200, 200]);
    for (const names of await each(namesOf)) {
      expect(names.length).toBeLessThanOrEqual(5);
      expect(names).toEqual(expect.arrayContaining(['last', 'production', 'stage']));
    }
  });
});
