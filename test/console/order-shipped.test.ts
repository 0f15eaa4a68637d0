// An order is shipped from its page: all that is left, or chosen lines, by a carrier that is drawn or chosen.
import { describe, expect, test } from 'vitest';
import { consoleOf } from '../support/console.ts';
import { operated, orderIn } from '../support/operator.ts';
import { lineOf } from '../support/order-requests.ts';
import { press } from '../support/pressed.ts';
import { fixtures } from '../support/sachet.ts';

async function page(options: Parameters<typeof operated>[0] = {}) {
  const world = await operated(options);
  const seen = consoleOf(world.sachet);
  return { ...world, seen, open: (id: string) => seen.see(`orders/${id}`) };
}

describe('shipping', () => {
  const choicesIn = (html: string): string[] =>
    Array.from(html.matchAll(/name="order_lines:list" value="([^"]*)"/g), ([, id = '']) => id);

  async function inProduction() {
    const world = await page();
    const id = await world.inProduction({ order_lines: [lineOf(), lineOf(), lineOf()] });
    const lines = (await world.order(id)).order_lines.map((line) => line.id);
    const ship = async (typed: Record<string, string> = {}) =>
      press(world.seen, (await world.open(id)).html, 'Ship', typed);
    const packages = async () =>
      (await world.stage.records.fulfillments.list()).fulfillments.filter(({ order_id }) => order_id === id);
    return { ...world, id, lines, ship, packages };
  }

  test('all that is left where nothing is chosen', async () => {
    const { ship, packages, lines, open, id } = await inProduction();
    expect(choicesIn((await open(id)).html)).toEqual(lines);
    const done = await ship();
    expect([done.status, done.text]).toEqual([200, 'Package created.']);
    const [one, ...others] = await packages();
    expect([one?.order_lines.map((line) => line.id), others]).toEqual([lines, []]);
    const { html, text } = await open(id);
    expect(html).not.toContain('orders.ship');
    expect(text).toContain(`${one?.shipment_order_number} … Label Created`);
  });

  test('chosen lines by a chosen carrier, then the rest', async () => {
    const { ship, packages, lines, open, id } = await inProduction();
    const [a = '', b = '', c = ''] = lines;
    await ship({ 'order_lines:list': `${a} ${c}`, 'carrier:json': '"fedex"' });
    const [first] = await packages();
    expect(first?.order_lines.map((line) => line.id)).toEqual([a, c]);
    expect(first?.tracking_info?.shipping_carrier).toBe('FedEx');
    const { html, text } = await open(id);
    expect(choicesIn(html)).toEqual([b]);
    expect(text.match(new RegExp(`shipped in ${first?.shipment_order_number}`, 'g'))).toHaveLength(2);
    await ship();
    expect((await packages()).map(({ order_lines }) => order_lines.length)).toEqual([2, 1]);
  });

  test('every carrier can be chosen, and none', async () => {
    const { ship, packages, open, id } = await inProduction();
    const { html } = await open(id);
    const values = Array.from(html.matchAll(/<option value="([^"]*)">/g), ([, value = '']) =>
      value.replaceAll('&quot;', '"'),
    );
    expect(values).toEqual(['', ...fixtures.carriers.map((carrier) => JSON.stringify(carrier.id)), 'null']);
    await ship({ 'carrier:json': 'null' });
    expect((await packages()).map(({ tracking_info }) => tracking_info)).toEqual([null]);
  });

  test('what was lost is shipped again where it is chosen; nothing chosen is refused in words', async () => {
    const { ship, packages, lines, open, id, move } = await inProduction();
    await ship();
    const [lost] = await packages();
    for (const action of ['pick_up', 'lose']) await move(lost?.id ?? '', action);
    const { html, text } = await open(id);
    expect(text).toContain('Lost or returned lines to ship again');
    expect(choicesIn(html)).toEqual(lines);
    expect(text.match(/\(again\)/g)).toHaveLength(3);
    const refused = await ship();
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('Every line of the order is already shipped; to ship lost or returned'),
    ]);
    expect((await ship({ 'order_lines:list': lines[1] ?? '' })).status).toBe(200);
    expect((await packages())[1]?.order_lines.map((line) => line.id)).toEqual([lines[1]]);
  });

  test('what is shipped by now is refused in words', async () => {
    const { ship, packages, lines, open, id, seen } = await inProduction();
    const { html: before } = await open(id);
    await ship();
    const refused = await press(seen, before, 'Ship', { 'order_lines:list': lines[0] ?? '' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(`${lines[0]} is already shipped`)]);
    expect(await packages()).toHaveLength(1);
  });

  test('an order that waits is shipped by the reading order_transitions=any', async () => {
    const { stage, seen, open } = await page({ assumptions: { order_transitions: 'any' } });
    const done = await press(seen, (await open(orderIn.Pending)).html, 'Ship');
    expect([done.status, done.text]).toEqual([200, 'Package created.']);
    const { fulfillments } = await stage.records.fulfillments.list();
    expect(fulfillments.at(-1)?.order_id).toBe(orderIn.Pending);
  });
});
