// Three servers over one database are one service: what is done through one is so for all, with their next answer.
import { describe, expect, test, vi } from 'vitest';
import type { ControlClient } from '../../../src/client/control-client.ts';
import type { SandboxControl } from '../../../src/client/sandbox-control.ts';
import { postMarked } from '../../support/postgres/marked.ts';
import { logIn, type Place } from '../../support/postgres/partner.ts';
import { postgresMissing } from '../../support/postgres/server.ts';
import { products, three, unseeded } from '../../support/postgres/three.ts';

const soon = { timeout: 20_000 };

type Stages = [SandboxControl, SandboxControl, SandboxControl];

describe.skipIf(postgresMissing())('what was set on one server', () => {
  test('meets calls of all: a burst of three is three', async () => {
    const { places, controls } = await three();
    const token = await logIn(places[0]);
    await controls[0].sandbox('stage').switches.set({ rate_limit: { burst: 3 } });
    const statuses: number[] = [];
    for (let n = 1; n <= 6; n += 1) statuses.push(await products(token)(places[n % 3] as Place));
    expect(statuses).toEqual([429, 429, 429, 200, 200, 200]);
  });

  test('meets calls that come at the same time once each', async () => {
    const { places, controls } = await three();
    const token = await logIn(places[0]);
    await controls[1].sandbox('stage').switches.set({ rate_limit: { burst: 7 } });
    const all = Array.from({ length: 30 }, (_, n) => products(token)(places[n % 3] as Place));
    expect((await Promise.all(all)).filter((status) => status === 429)).toHaveLength(7);
  });

  test('is the time of all', async () => {
    const { controls } = await three();
    await controls[2].sandbox('stage').clock.advance({ by: 'PT36H' });
    for (const control of controls)
      expect((await control.sandbox('stage').clock.get()).now).toBe('2026-11-22T00:00:00.000Z');
  });
});

describe.skipIf(postgresMissing())('a token', () => {
  test('of one server is good on all', async () => {
    const { places, each } = await three(unseeded);
    for (const place of places) {
      const token = await logIn(place);
      expect(await each(products(token))).toEqual([200, 200, 200]);
    }
  });

  test('that one server was told to expire is expired on all', async () => {
    const { places, controls, each } = await three();
    const token = await logIn(places[0]);
    expect(await each(products(token))).toEqual([200, 200, 200]);
    await controls[1].sandbox('stage').switches.set({ token_expiry: { expire_issued: true } });
    expect(await each(products(token))).toEqual([401, 401, 401]);
  });
});

describe.skipIf(postgresMissing())('a call that began on one server writes nothing', () => {
  test.each([
    ['a reset', (control: ControlClient) => control.sandbox('stage').reset()],
    [
      'an import',
      async (control: ControlClient) =>
        control.sandbox('stage').state.put(await control.sandbox('production').state.get()),
    ],
  ])('after %s on another', async (_, begin) => {
    const { places, controls } = await three();
    const [first, second, third] = controls.map((control) => control.sandbox('stage')) as Stages;
    const token = await logIn(places[1]);
    await second.faults.create({ id: 'slow', match: { operation: 'orders.create' }, delay: { milliseconds: 500 } });
    const posted = postMarked(places[1], token, 'mark');
    await vi.waitFor(async () => expect(await third.faults.get('slow')).toMatchObject({ hits: 1 }), soon);
    await begin(controls[0]);
    const { orders } = await third.records.orders.list();
    expect((await posted).status).toBe(500);
    for (const stage of [first, second, third]) expect((await stage.records.orders.list()).orders).toEqual(orders);
  });
});
