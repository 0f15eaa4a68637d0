// The shipped fixtures hold what product.md ("Data model") promises, so that a partner can reach every answer by data alone.
import { describe, expect, test } from 'vitest';
import { permissions } from '../../src/contract/operation.ts';
import { fixtures } from '../support/sachet.ts';

const { accounts, brands, users, products, operator_products, pags, orders, fulfillments, fulfillment_statuses } =
  fixtures;
const [demo] = users;
const demoBrand = demo?.brand_id;

const accountOf = (brandId: string | undefined) =>
  accounts.find(({ id }) => id === brands.find((brand) => brand.id === brandId)?.account_id);
const isDiscontinued = ({ operator_product_id }: { operator_product_id: string }): boolean =>
  operator_products.some(({ id, discontinued }) => id === operator_product_id && discontinued);
const pagsOf = (brandId: string) => pags.filter(({ brand_id }) => brand_id === brandId);
/** Users who can log in and order. */
const working = users.filter(
  (user) => user.active && accountOf(user.brand_id)?.active && user.permissions.includes('orders:write'),
);

test('demo is the first user and can do everything', () => {
  expect(demo).toMatchObject({ username: 'demo', active: true });
  expect(accountOf(demoBrand)?.active).toBe(true);
  expect(demo?.permissions).toEqual([...permissions]);
});

test('a second brand has a working user and products of its own, foreign to the first', () => {
  const others = working.filter(({ brand_id }) => brand_id !== demoBrand);
  const other = others.find((user) => pagsOf(user.brand_id).some(({ status }) => status === 'Active'));
  expect(other).toBeDefined();
  expect(products.some(({ brand_id, active }) => brand_id === other?.brand_id && active)).toBe(true);
  expect(orders.some(({ brand_id }) => brand_id === other?.brand_id)).toBe(true);
  expect(fixtures.consumers.some(({ brand_id }) => brand_id === other?.brand_id)).toBe(true);
  expect(fulfillments.some(({ brand_id }) => brand_id === other?.brand_id)).toBe(true);
});

describe("demo's brand has", () => {
  const own = products.filter(({ brand_id }) => brand_id === demoBrand);
  const ownFulfillments = fulfillments.filter(({ brand_id }) => brand_id === demoBrand);

  test('one default PAG, and it is Active', () => {
    const defaults = pagsOf(demoBrand ?? '').filter(({ duration }) => duration === null);
    expect(defaults.map(({ status }) => status)).toEqual(['Active']);
  });

  test('no PAG for 30 days that is not Active: a 30-day order is Pending', () => {
    const thirty = pagsOf(demoBrand ?? '').filter(({ duration }) => duration === 30);
    expect(thirty.every(({ status }) => status === 'Active')).toBe(true);
  });

  test('active products whose operator product is sold', () => {
    expect(own.filter((product) => product.active && !isDiscontinued(product)).length).toBeGreaterThan(1);
  });

  test('an inactive product', () => {
    expect(own.some((product) => !product.active && !isDiscontinued(product))).toBe(true);
  });

  test('an active product whose operator product is discontinued', () => {
    expect(own.some((product) => product.active && isDiscontinued(product))).toBe(true);
  });

  test.each(['Pending', 'On Hold', 'Needs Changes', 'Accepted', 'In Production', 'Canceled'])(
    'an order that is %s',
    (status) => {
      expect(orders.some((order) => order.brand_id === demoBrand && order.status === status)).toBe(true);
    },
  );

  test('more fulfillments than one default page of 20', () => {
    expect(ownFulfillments.length).toBeGreaterThan(20);
  });

  test.each(fulfillment_statuses.map(({ id }) => id))('a fulfillment that is %s', (status) => {
    expect(ownFulfillments.some(({ status_id }) => status_id === status)).toBe(true);
  });
});

describe('there is', () => {
  test('a user without permissions who can log in', () => {
    const user = users.find(({ permissions }) => permissions.length === 0);
    expect(user?.active && accountOf(user.brand_id)?.active).toBe(true);
  });

  test('a user of an inactive account, active otherwise', () => {
    expect(users.some(({ active, brand_id }) => active && accountOf(brand_id)?.active === false)).toBe(true);
  });

  test('a brand with no PAG, with a working user and an active product', () => {
    const user = working.find(({ brand_id }) => pagsOf(brand_id).length === 0);
    expect(products.some(({ brand_id, active }) => brand_id === user?.brand_id && active)).toBe(true);
  });

  test('a brand whose default PAG is Inactive, with a working user and an active product', () => {
    const user = working.find(({ brand_id }) =>
      pagsOf(brand_id).some(({ duration, status }) => duration === null && status === 'Inactive'),
    );
    expect(products.some(({ brand_id, active }) => brand_id === user?.brand_id && active)).toBe(true);
  });

  test('a password that no two users share', () => {
    expect(new Set(users.map(({ password }) => password)).size).toBe(users.length);
  });
});

test('only delivered shipments have a delivery date, and each was picked up before', () => {
  for (const { status_id, pickup_date, delivery_date } of fulfillments) {
    expect(delivery_date !== null).toBe(status_id === 'delivered');
    if (delivery_date !== null) expect(Date.parse(pickup_date ?? '')).toBeLessThan(Date.parse(delivery_date));
  }
});
