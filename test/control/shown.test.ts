// What people are shown of a sandbox besides the control API's answers: orders and fulfillments with all that hangs on them, the catalog.
import { describe, expect, test } from 'vitest';
import { catalogView } from '../../src/console/pages/catalog-view.ts';
import { fulfillmentView, listedFulfillments, listedOrders, orderView } from '../../src/console/pages/order-views.ts';
import type { RecordOf } from '../../src/contract/records.ts';
import { actOnOrder, actOnPackage, shipOrder } from '../../src/sandbox/operator.ts';
import { isSpent, patchSwitches } from '../../src/sandbox/overrides.ts';
import { consumerName } from '../../src/sandbox/records.ts';
import { TestState, writing } from '../support/drafts.ts';
import { fixtures, noon } from '../support/sachet.ts';

const now = Date.parse(noon);
const baseUrl = 'https://sachet.example.com/below/stage';
const after = (seconds: number): string => new Date(now + seconds * 1000).toISOString();

/** The first of the fixtures' orders that is so. */
function orderThat(isSo: (order: RecordOf<'orders'>) => boolean): RecordOf<'orders'> {
  const order = fixtures.orders.find(isSo);
  if (!order) throw new Error('the fixtures have no such order');
  return order as RecordOf<'orders'>;
}
const pending = orderThat(({ status }) => status === 'Pending');

describe('an order', () => {
  test('has its brand, its lines by name, and what the operator can do', () => {
    const shown = new TestState().write((draft) => orderView(draft, pending.id, writing));
    const [content] = pending.order_lines[0]?.pouches[0]?.contents ?? [];
    const product = fixtures.products.find(({ id }) => id === content?.client_product_id);
    expect(shown.brand).toBe(fixtures.brands.find(({ id }) => id === pending.brand_id)?.name);
    expect(shown.lines).toHaveLength(pending.order_lines.length);
    expect(shown.lines[0]?.pouches[0]?.contents[0]).toEqual({
      name: product?.product_name,
      size: content?.serving_size,
    });
    expect(shown.possible.actions).toContain('accept');
    expect([shown.packages, shown.isAutomatic]).toEqual([[], false]);
  });

  test('shows what was shipped of it, and what is due next', () => {
    const state = new TestState();
    state.write((draft) => {
      actOnOrder(draft, pending.id, 'accept', writing);
      actOnOrder(draft, pending.id, 'start_production', writing);
    });
    expect(state.write((draft) => orderView(draft, pending.id, writing)).next?.step).toBe('shipped');
    const { id } = state.write((draft) => shipOrder(draft, pending.id, {}, writing));
    const { packages, lines, next } = state.write((draft) => orderView(draft, pending.id, writing));
    expect(packages.map(({ record, next: its }) => [record.id, its?.step])).toEqual([[id, 'picked_up']]);
    expect(lines.map((line) => line.packages.map((one) => one.id))).toEqual(pending.order_lines.map(() => [id]));
    expect(next).toBeUndefined();
  });

  test('another brand’s pack of the same id is told by its id', () => {
    const state = new TestState();
    const [pack] = fixtures.packs;
    const pouchOf = (pack_id: string | undefined, brand_id: string | undefined) =>
      state.write((draft) => {
        const [line] = pending.order_lines;
        const order_lines = [{ ...line, pouches: [{ pack_id }] }];
        draft.table('orders').replace({ ...pending, brand_id, order_lines } as RecordOf<'orders'>);
        return orderView(draft, pending.id, writing).lines[0]?.pouches[0]?.pack;
      });
    const other = fixtures.brands.find(({ id }) => id !== pack?.brand_id);
    expect(pouchOf(pack?.id, pack?.brand_id)).toBe(pack?.name);
    expect(pouchOf(pack?.id, other?.id)).toBe(pack?.id);
    expect(pouchOf(undefined, other?.id)).toBeUndefined();
  });

  test('stands in the list of its status, the newest first', () => {
    const { rows, total } = new TestState().write((draft) => listedOrders(draft, 'Pending', { limit: 500 }));
    const ids = fixtures.orders.filter(({ status }) => status === 'Pending').map(({ id }) => id);
    expect(rows.map(({ order }) => order.id)).toEqual(ids.toReversed());
    expect(total).toBe(fixtures.orders.length);
  });
});

test('a consumer is called by name, else by e-mail, else by id', () => {
  const [consumer] = fixtures.consumers;
  const id = String(consumer?.id);
  const called = (changes: object): string =>
    new TestState().write((draft) => {
      draft.table('consumers').replace({ ...consumer, ...changes } as RecordOf<'consumers'>);
      return consumerName(draft, id);
    });
  expect(called({ first_name: 'Ada', last_name: 'Lovelace' })).toBe('Ada Lovelace');
  expect(called({ first_name: null, last_name: 'Lovelace' })).toBe('Lovelace');
  expect(called({ first_name: null, last_name: null, email: 'ada@example.com' })).toBe('ada@example.com');
  expect(called({ first_name: null, last_name: null, email: null })).toBe(id);
});

describe('a fulfillment', () => {
  const [first] = fixtures.fulfillments;
  const id = String(first?.id);

  test('has its label’s URL, and until when that is good', () => {
    const state = new TestState();
    const seen = () => state.write((draft) => fulfillmentView(draft, id, writing, baseUrl));
    expect(seen().labelUrl).toContain(`${baseUrl}/`);
    expect(seen().labelUntil).toBe(after(900));
    state.write((draft) => patchSwitches(draft, { label_expiry: { lifetime_seconds: 5 } }, now));
    expect(seen().labelUntil).toBe(after(5));
  });

  test('shows its way: what its record tells, then what was noted', () => {
    const [made] = fixtures.fulfillments.filter(({ status_id }) => status_id === 'label_created');
    const state = new TestState();
    state.write((draft) => actOnPackage(draft, String(made?.id), { action: 'pick_up' }, writing));
    const shown = state.write((draft) => fulfillmentView(draft, String(made?.id), writing, baseUrl));
    expect(shown.events.at(0)?.at).toBe(made?.created_at);
    expect(shown.events.at(-1)).toEqual({ at: noon, name: shown.status });
    expect(shown.possible).toContain('deliver');
  });

  test('the page after one ends where the records do', () => {
    const state = new TestState();
    const page = state.write((draft) => listedFulfillments(draft, { limit: 1 }));
    const next = state.write((draft) => listedFulfillments(draft, { before: page.before, limit: 500 }));
    const ids = [...page.rows, ...next.rows].map(({ record }) => record.id);
    expect(ids).toEqual(fixtures.fulfillments.map((one) => one.id).toReversed());
    expect(next.before).toBeUndefined();
  });
});

describe('the catalog', () => {
  test('has the products of each brand with what stands behind them', () => {
    const { brands } = new TestState().write((draft) => catalogView(draft, writing));
    const shown = brands.flatMap(({ name, products }) =>
      products.map(({ product, behind }) => [name, product, behind]),
    );
    expect(shown).toHaveLength(fixtures.products.length);
    for (const product of fixtures.products)
      expect(shown).toContainEqual([
        fixtures.brands.find(({ id }) => id === product.brand_id)?.name,
        product,
        fixtures.operator_products.find(({ id }) => id === product.operator_product_id),
      ]);
  });

  test('tells the PAGs that a switch bends', () => {
    const state = new TestState();
    const bent = () =>
      state
        .write((draft) => catalogView(draft, writing))
        .pags.rows.flatMap(({ pag, isBent }) => (isBent ? [pag.id] : []));
    expect(bent()).toEqual([]);
    const id = String(fixtures.pags[0]?.id);
    state.write((draft) => patchSwitches(draft, { inactive_pags: { ids: [id] } }, now));
    expect(bent()).toEqual([id]);
  });
});

describe('a lever is spent', () => {
  test.each([
    ['where no calls are left', { remaining: 0 }, true],
    ['not where some are', { remaining: 1 }, false],
    ['where it has ended', { ends_at: noon }, true],
    ['not before it ends', { ends_at: after(1) }, false],
    ['not while it has a window, which opens again', { remaining: 0, limit: 3, ends_at: noon }, false],
    ['not where nothing bounds it', {}, false],
  ])('%s', (_, counts, spent) => {
    expect(isSpent(counts, now)).toBe(spent);
  });
});
