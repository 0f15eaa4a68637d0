// Catalog and packaging: what is shown of it, and that its buttons change what the next order is answered.
import { describe, expect, test } from 'vitest';
import { bent } from '../support/bent.ts';
import { consoleOf } from '../support/console.ts';
import { lineOf, productId, products, someOrder } from '../support/order-requests.ts';
import { partOf, press } from '../support/pressed.ts';
import { fixtures } from '../support/sachet.ts';

const script = '<script>alert(1)</script>';
const operatorProductId = (n: number): string => productId(n).replace(/^20/, '21');
const pagId = (n: number): string => productId(n).replace(/^20/, '30');

async function page(options: Parameters<typeof bent>[0] = {}) {
  const world = await bent(options);
  const seen = consoleOf(world.sachet);
  const row = async (id: string) => partOf((await seen.see('catalog')).html, 'tr', id);
  return {
    ...world,
    seen,
    words: async (id: string) =>
      (await row(id))
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    press: async (id: string, label: string) => press(seen, await row(id), label),
    /** What the next order is answered: its status, or the refusal's words. */
    answer: async (changes: object = {}) => {
      const { status, body } = await world.client.post('/v2/orders', someOrder(changes));
      return [status, status === 201 ? body.order.status : body.message];
    },
  };
}

const ordered = [201, 'Pending'];

describe('a product', () => {
  test('stands with its brand, what is behind it, its serving size and its state', async () => {
    const { words } = await page();
    expect(await words(`product-${productId(2)}`)).toBe(
      `Calm Magnesium ${productId(2)} Daily Grove Magnesium Glycinate 120 mg Capsule serving size 2 ✓ Active Deactivate`,
    );
    expect(await words(`product-${products.inactive}`)).toMatch(/✕ Inactive Activate$/);
    expect(await words(`product-${products.discontinued}`)).toMatch(/Capsule ✕ discontinued .*✓ Active Deactivate$/);
    expect(await words(`product-${products.foreign}`)).toContain('Juniper Street Packs');
  });

  test('that is deactivated is refused in the next order (ORD-19), until it is active again', async () => {
    const world = await page();
    expect(await world.answer()).toEqual(ordered);
    const done = await world.press(`product-${products.good}`, 'Deactivate');
    expect([done.status, done.text]).toEqual([200, 'Sunrise Vitamin D3 is inactive.']);
    expect(await world.words(`product-${products.good}`)).toContain('✕ Inactive Activate');
    expect(await world.answer()).toEqual([
      422,
      'The following client products are inactive and cannot be ordered: Sunrise Vitamin D3',
    ]);
    expect((await world.press(`product-${products.good}`, 'Activate')).text).toBe('Sunrise Vitamin D3 is active.');
    expect(await world.answer()).toEqual(ordered);
  });
});

describe('a product of the operator', () => {
  const id = `operator-product-${operatorProductId(1)}`;

  test('that is discontinued is refused in the next order (ORD-20), until it is made again', async () => {
    const world = await page();
    expect(await world.words(id)).toBe(`Vitamin D3 2000 IU Softgel ${operatorProductId(1)} ✓ Made Discontinue`);
    const done = await world.press(id, 'Discontinue');
    expect(done.text).toBe('Vitamin D3 2000 IU Softgel is discontinued.');
    expect(await world.words(id)).toContain('✕ Discontinued Resume');
    expect(await world.words(`product-${products.good}`)).toContain('✕ discontinued');
    expect(await world.answer()).toEqual([
      422,
      'The following Meridian products are inactive and cannot be ordered: Vitamin D3 2000 IU Softgel',
    ]);
    expect((await world.press(id, 'Resume')).text).toBe('Vitamin D3 2000 IU Softgel is made again.');
    expect(await world.answer()).toEqual(ordered);
  });
});

describe('packaging', () => {
  const [usual, thirty, ninety] = [1, 2, 3].map((n) => `pag-${pagId(n)}`) as [string, string, string];

  test('stands with its brand, for which lines it is, and its status', async () => {
    const { words } = await page();
    expect(await words(usual)).toBe(
      `Daily Grove Standard Box ${pagId(1)} Daily Grove any duration ✓ Active Deactivate`,
    );
    expect(await words(ninety)).toBe(
      `Daily Grove 90-Day Carton ${pagId(3)} Daily Grove duration 90 ✕ In Review Activate`,
    );
  });

  test('that is deactivated lets the next order wait as Needs Changes, until it is Active again', async () => {
    const world = await page();
    const done = await world.press(thirty, 'Deactivate');
    expect(done.text).toBe('Daily Grove 30-Day Box is inactive.');
    expect(await world.words(thirty)).toContain('✕ Inactive Activate');
    expect(await world.answer()).toEqual([201, 'Needs Changes']);
    expect(await world.answer({ order_lines: [{ ...lineOf(), duration: 31 }] })).toEqual(ordered);
    expect((await world.press(thirty, 'Activate')).text).toBe('Daily Grove 30-Day Box is active.');
    expect(await world.answer()).toEqual(ordered);
  });

  test('of any other status is activated', async () => {
    const world = await page();
    const long = { order_lines: [{ ...lineOf(), duration: 90 }] };
    expect(await world.answer(long)).toEqual([201, 'Needs Changes']);
    await world.press(ninety, 'Activate');
    expect(await world.answer(long)).toEqual(ordered);
  });

  test('that a switch makes inactive says so, whatever its status, and leads to the switches', async () => {
    const { stage, words, seen } = await page();
    await stage.switches.set({ inactive_pags: { ids: [pagId(2)] } });
    expect(await words(thirty)).toContain('✓ Active switched to Inactive');
    expect(await words(usual)).not.toContain('switch');
    expect(partOf((await seen.see('catalog')).html, 'tr', thirty)).toContain('<a href="stage/switches">');
  });
});

test('packs stand with their brands', async () => {
  const { words } = await page();
  expect(await words('pack-PACK-FOCUS-01')).toBe('Focus Starter PACK-FOCUS-01 Juniper Street Packs');
});

test('what is gone by now is refused in words', async () => {
  const world = await page();
  const { id: _, ...unnamed } = fixtures.products.find(({ id }) => id === products.good) ?? { id: '' };
  const { id } = await world.stage.records.products.create(
    unnamed as Parameters<typeof world.stage.records.products.create>[0],
  );
  const row = partOf((await world.seen.see('catalog')).html, 'tr', `product-${id}`);
  await world.stage.records.products.delete(id);
  const { status, text } = await press(world.seen, row, 'Deactivate');
  expect([status, text]).toEqual([404, expect.stringContaining(id)]);
});

describe('many', () => {
  const kinds = [
    ['products', 'product', 'products'],
    ['operator_products', 'operator-product', 'products of the operator'],
    ['packs', 'pack', 'packs'],
    ['pags', 'pag', 'PAGs'],
  ] as const;

  /** A sandbox whose collection holds so many records. */
  async function holding(name: (typeof kinds)[number][0], count: number) {
    const world = await page();
    await (await world.sachet.sandbox()).write((draft) => {
      for (let n = 1; draft.table(name).size < count; n += 1) {
        const id = `f2000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
        if (name === 'pags') draft.table(name).insert({ ...fixtures.pags[0], id, duration: 1000 + n } as never);
        else draft.table(name).insert({ ...fixtures[name][0], id } as never);
      }
    });
    return world.seen.see('catalog');
  }
  const rowsIn = (html: string, kind: string): number => (html.match(new RegExp(`<tr id="${kind}-`, 'g')) ?? []).length;

  test.each(kinds)('%s are listed up to two hundred, with words for the rest', async (name, kind, words) => {
    const all = await holding(name, 200);
    expect(rowsIn(all.html, kind)).toBe(200);
    expect(all.text).not.toContain('The first 200');
    const some = await holding(name, 1201);
    expect(rowsIn(some.html, kind)).toBe(200);
    expect(some.text).toContain(`The first 200 of 1,201 ${words} are shown. The control API lists all.`);
  });
});

test('an empty sandbox says what it has not, and what becomes of orders by that', async () => {
  const none = { products: [], operator_products: [], packs: [], pags: [], orders: [], fulfillments: [] };
  const { seen } = await page({ fixtures: { ...fixtures, ...none } });
  const { text, html } = await seen.see('catalog');
  for (const words of [
    'This sandbox has no products.',
    'Products of Meridian The operator has no products.',
    'This sandbox has no packaging: every order is rejected (ORD-21).',
    'This sandbox has no packs.',
  ])
    expect(text).toContain(words);
  expect(html).not.toContain('<table');
});

test('what others wrote is shown as text, also in what is said once a button was pressed', async () => {
  const world = await page();
  const { records, singles } = world.stage;
  const hostile = `"'>${script}`;
  await singles.operator.update({ name: hostile });
  await records.brands.update(fixtures.brands[0]?.id ?? '', { name: hostile });
  await records.products.update(products.good, { product_name: hostile });
  await records.operator_products.update(operatorProductId(2), { name: hostile });
  await records.pags.update(pagId(1), { name: hostile });
  await records.packs.update('PACK-MORNING-01', { name: hostile });
  const { html, text } = await world.seen.see('catalog');
  expect(html).not.toContain('<script');
  expect(text.split(hostile).length).toBeGreaterThan(7);
  const done = await world.press(`product-${products.good}`, 'Deactivate');
  expect(done.html).not.toContain('<script');
  expect(done.status).toBe(200);
});
