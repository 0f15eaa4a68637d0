// The catalog page: products, packaging and packs, and the buttons that change the response to the next order.
import { expect, test } from 'vitest';
import { orderLine, pagId, productId, products } from '../support/order-requests.ts';
import { fixtures } from '../support/sachet.ts';
import { idsIn, openPage } from './console.ts';

const operatorProductId = (n: number): string => productId(n).replace(/^20/, '21');
const accepted = [201, 'Pending'];

async function open(options: Parameters<typeof openPage>[2] = {}) {
  const world = await openPage('catalog', 'tr', options);
  /** The next order's status, and the status or the message in its response. */
  const nextOrder = async (changes: object = {}) => {
    const { status, body } = await world.order(changes);
    return [status, status === 201 ? body.order.status : body.message];
  };
  return { ...world, nextOrder };
}

test('shows products with brand, ingredient, serving size and state; packaging with duration; packs', async () => {
  const { words } = await open();
  const rows: Readonly<Record<string, string>> = {
    [`product-${productId(2)}`]: `Calm Magnesium ${productId(2)} Daily Grove Magnesium Glycinate 120 mg Capsule serving size 2 ✓ Active Deactivate`,
    [`product-${products.inactive}`]: '✕ Inactive Activate',
    [`product-${products.discontinued}`]: 'Turmeric Curcumin 500 mg Capsule ✕ discontinued serving size',
    [`product-${products.foreign}`]: 'Juniper Street Packs',
    [`pag-${pagId(1)}`]: `Daily Grove Standard Box ${pagId(1)} Daily Grove any duration ✓ Active Deactivate`,
    [`pag-${pagId(3)}`]: `${pagId(3)} Daily Grove duration 90 ✕ In Review Activate`,
    'pack-PACK-FOCUS-01': 'Focus Starter PACK-FOCUS-01 Juniper Street Packs',
  };
  for (const [id, text] of Object.entries(rows)) expect(await words(id), id).toContain(text);
});

test.each([
  [
    'deactivated product (ORD-19)',
    `product-${products.good}`,
    'Sunrise Vitamin D3',
    ['Deactivate', 'is inactive', '✕ Inactive'],
    ['Activate', 'is active'],
    'The following client products are inactive and cannot be ordered: Sunrise Vitamin D3',
  ],
  [
    'discontinued operator product (ORD-20)',
    `operator-product-${operatorProductId(1)}`,
    'Vitamin D3 2000 IU Softgel',
    ['Discontinue', 'is discontinued', '✕ Discontinued'],
    ['Resume', 'is made again'],
    'The following Meridian products are inactive and cannot be ordered: Vitamin D3 2000 IU Softgel',
  ],
])('the next order of a %s is rejected', async (_, row, name, off, on, rejection) => {
  const { press, words, nextOrder } = await open();
  expect(await nextOrder()).toEqual(accepted);
  const done = await press(row, String(off[0]));
  expect([done.status, done.text]).toEqual([200, `${name} ${off[1]}.`]);
  expect(await words(row)).toContain(`${off[2]} ${on[0]}`);
  expect((await words(`product-${products.good}`)).includes('✕ discontinued')).toBe(row.startsWith('operator'));
  expect(await nextOrder()).toEqual([422, rejection]);
  expect((await press(row, String(on[0]))).text).toBe(`${name} ${on[1]}.`);
  expect(await nextOrder()).toEqual(accepted);
});

test('with inactive packaging the next order needs changes', async () => {
  const { press, words, part, nextOrder, stage } = await open();
  const [thirty, ninety] = [`pag-${pagId(2)}`, `pag-${pagId(3)}`];
  await press(thirty, 'Deactivate');
  expect(await words(thirty)).toContain('✕ Inactive Activate');
  expect(await nextOrder()).toEqual([201, 'Needs Changes']);
  expect(await nextOrder({ order_lines: [{ ...orderLine(), duration: 31 }] })).toEqual(accepted);
  await press(thirty, 'Activate');
  expect(await nextOrder()).toEqual(accepted);

  const long = { order_lines: [{ ...orderLine(), duration: 90 }] };
  expect(await nextOrder(long)).toEqual([201, 'Needs Changes']);
  await press(ninety, 'Activate');
  expect(await nextOrder(long)).toEqual(accepted);

  await stage.switches.set({ inactive_pags: { ids: [pagId(2)] } });
  expect(await words(thirty)).toContain('✓ Active switched to Inactive');
  expect(await part(thirty)).toContain('<a href="stage/switches">');
  expect(await words(`pag-${pagId(1)}`)).not.toContain('switch');
});

const kinds = { products: 'product', operator_products: 'operator-product', packs: 'pack', pags: 'pag' } as const;
const names = Object.keys(kinds) as (keyof typeof kinds)[];

test('shows 200 records of each kind, and how many there are', async () => {
  const { sachet, see } = await open();
  for (const count of [200, 1201]) {
    await (await sachet.sandbox()).write((draft) => {
      for (const name of names)
        for (let n = draft.table(name).size; n < count; n += 1) {
          const id = `f2000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
          draft
            .table(name)
            .insert({ ...fixtures[name][0], id, ...(name === 'pags' && { duration: 1000 + n }) } as never);
        }
    });
    const { html, text } = await see();
    expect(names.map((name) => idsIn(html, kinds[name]).length)).toEqual([200, 200, 200, 200]);
    expect(text.match(/first 200 of 1,201/g) ?? []).toHaveLength(count > 200 ? 4 : 0);
  }
});

test('an empty sandbox says what is missing', async () => {
  const none = { products: [], operator_products: [], packs: [], pags: [], orders: [], fulfillments: [] };
  const { text, html } = await (await open({ fixtures: { ...fixtures, ...none } })).see();
  for (const words of ['no products', 'operator has no products', '(ORD-21)', 'no packs'])
    expect(text).toContain(words);
  expect(html).not.toContain('<table');
});
