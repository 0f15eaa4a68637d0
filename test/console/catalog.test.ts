// The catalog page: products, packaging and packs, and the buttons that change the response to the next order.
import { expect, test } from 'vitest';
import { orderLine, productId, products, someOrder } from '../support/order-requests.ts';
import { fixtures } from '../support/sachet.ts';
import { testStage } from '../support/stage.ts';
import { consoleOf, partOf, textOf } from './console.ts';

const operatorProductId = (n: number): string => productId(n).replace(/^20/, '21');
const pagId = (n: number): string => productId(n).replace(/^20/, '30');
const accepted = [201, 'Pending'];

async function page(options: Parameters<typeof testStage>[0] = {}) {
  const world = await testStage(options);
  const seen = consoleOf(world.sachet);
  const row = async (id: string) => partOf((await seen.see('catalog')).html, 'tr', id);
  return {
    ...world,
    seen,
    row,
    words: async (id: string) => textOf(await row(id)),
    press: async (id: string, label: string) => seen.press(await row(id), label),
    /** The next order's status, and the status or the message in its response. */
    nextOrder: async (changes: object = {}) => {
      const { status, body } = await world.client.post('/v2/orders', someOrder(changes));
      return [status, status === 201 ? body.order.status : body.message];
    },
  };
}

test('shows products with brand, ingredient, serving size and state; packaging with duration; packs', async () => {
  const { words } = await page();
  expect(await words(`product-${productId(2)}`)).toBe(
    `Calm Magnesium ${productId(2)} Daily Grove Magnesium Glycinate 120 mg Capsule serving size 2 ✓ Active Deactivate`,
  );
  expect(await words(`product-${products.inactive}`)).toMatch(/✕ Inactive Activate$/);
  expect(await words(`product-${products.discontinued}`)).toMatch(/Capsule ✕ discontinued .*✓ Active Deactivate$/);
  expect(await words(`product-${products.foreign}`)).toContain('Juniper Street Packs');
  const pags = ['Daily Grove Standard Box', 'Daily Grove 90-Day Carton'];
  expect(await words(`pag-${pagId(1)}`)).toBe(`${pags[0]} ${pagId(1)} Daily Grove any duration ✓ Active Deactivate`);
  expect(await words(`pag-${pagId(3)}`)).toBe(`${pags[1]} ${pagId(3)} Daily Grove duration 90 ✕ In Review Activate`);
  expect(await words('pack-PACK-FOCUS-01')).toBe('Focus Starter PACK-FOCUS-01 Juniper Street Packs');
});

test('a deactivated product is rejected in the next order (ORD-19)', async () => {
  const { press, words, nextOrder } = await page();
  const id = `product-${products.good}`;
  expect(await nextOrder()).toEqual(accepted);
  const done = await press(id, 'Deactivate');
  expect([done.status, done.text]).toEqual([200, 'Sunrise Vitamin D3 is inactive.']);
  expect(await words(id)).toContain('✕ Inactive Activate');
  const message = 'The following client products are inactive and cannot be ordered: Sunrise Vitamin D3';
  expect(await nextOrder()).toEqual([422, message]);
  expect((await press(id, 'Activate')).text).toBe('Sunrise Vitamin D3 is active.');
  expect(await nextOrder()).toEqual(accepted);
});

test('a discontinued product of the operator is rejected in the next order (ORD-20)', async () => {
  const { press, words, nextOrder } = await page();
  const id = `operator-product-${operatorProductId(1)}`;
  const name = 'Vitamin D3 2000 IU Softgel';
  expect(await words(id)).toBe(`${name} ${operatorProductId(1)} ✓ Made Discontinue`);
  expect((await press(id, 'Discontinue')).text).toBe(`${name} is discontinued.`);
  expect(await words(id)).toContain('✕ Discontinued Resume');
  expect(await words(`product-${products.good}`)).toContain('✕ discontinued');
  const message = `The following Meridian products are inactive and cannot be ordered: ${name}`;
  expect(await nextOrder()).toEqual([422, message]);
  expect((await press(id, 'Resume')).text).toBe(`${name} is made again.`);
  expect(await nextOrder()).toEqual(accepted);
});

test('with inactive packaging the next order needs changes', async () => {
  const { press, words, row, nextOrder, stage } = await page();
  const [thirty, ninety] = [`pag-${pagId(2)}`, `pag-${pagId(3)}`];
  expect((await press(thirty, 'Deactivate')).text).toBe('Daily Grove 30-Day Box is inactive.');
  expect(await words(thirty)).toContain('✕ Inactive Activate');
  expect(await nextOrder()).toEqual([201, 'Needs Changes']);
  expect(await nextOrder({ order_lines: [{ ...orderLine(), duration: 31 }] })).toEqual(accepted);
  expect((await press(thirty, 'Activate')).text).toBe('Daily Grove 30-Day Box is active.');
  expect(await nextOrder()).toEqual(accepted);

  const long = { order_lines: [{ ...orderLine(), duration: 90 }] };
  expect(await nextOrder(long)).toEqual([201, 'Needs Changes']);
  await press(ninety, 'Activate');
  expect(await nextOrder(long)).toEqual(accepted);

  await stage.switches.set({ inactive_pags: { ids: [pagId(2)] } });
  expect(await words(thirty)).toContain('✓ Active switched to Inactive');
  expect(await row(thirty)).toContain('<a href="stage/switches">');
  expect(await words(`pag-${pagId(1)}`)).not.toContain('switch');
});

test('an empty sandbox says what is missing', async () => {
  const none = { products: [], operator_products: [], packs: [], pags: [], orders: [], fulfillments: [] };
  const { seen } = await page({ fixtures: { ...fixtures, ...none } });
  const { text, html } = await seen.see('catalog');
  for (const words of ['has no products', 'The operator has no products', '(ORD-21)', 'has no packs'])
    expect(text).toContain(words);
  expect(html).not.toContain('<table');
});
