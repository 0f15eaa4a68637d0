// The shipped fixtures have the records with which a partner can reach every response.
import { expect, test } from 'vitest';
import { permissions } from '../../src/contract/operation.ts';
import { fulfillmentStatuses, orderStatuses } from '../../src/contract/records.ts';
import { fixtures } from '../support/sachet.ts';

const { accounts, brands, users, products, operator_products, pags, orders, consumers, fulfillments } = fixtures;
const [demo] = users;
const demoBrand = demo?.brand_id;
const isOwn = ({ brand_id }: { readonly brand_id: string }): boolean => brand_id === demoBrand;
const accountOf = (brandId: string | undefined) =>
  accounts.find(({ id }) => id === brands.find((brand) => brand.id === brandId)?.account_id);
const isDiscontinued = ({ operator_product_id }: { operator_product_id: string }): boolean =>
  operator_products.some(({ id, discontinued }) => id === operator_product_id && discontinued);
const pagsOf = (brandId: string) => pags.filter(({ brand_id }) => brand_id === brandId);
const hasActiveProduct = (brandId: string | undefined): boolean =>
  products.some(({ brand_id, active }) => brand_id === brandId && active);
/** Users who can log in and order. */
const working = users.filter(
  (user) => user.active && accountOf(user.brand_id)?.active && user.permissions.includes('orders:write'),
);

test('demo is the first user, with all permissions', () => {
  expect(demo).toMatchObject({ username: 'demo', active: true, permissions: [...permissions] });
  expect(accountOf(demoBrand)?.active).toBe(true);
});

test('another brand has a working user and records of its own', () => {
  const other = working.find((user) => !isOwn(user) && pagsOf(user.brand_id).some(({ status }) => status === 'Active'));
  expect(hasActiveProduct(other?.brand_id)).toBe(true);
  for (const records of [orders, consumers, fulfillments])
    expect(records.some(({ brand_id }) => brand_id === other?.brand_id)).toBe(true);
});

test("demo's brand has PAGs, products, and orders and fulfillments in each status", () => {
  const own = pags.filter(isOwn);
  expect(own.filter(({ duration }) => duration === null).map(({ status }) => status)).toEqual(['Active']);
  // An order of 30 days is Pending.
  expect(own.filter(({ duration }) => duration === 30).every(({ status }) => status === 'Active')).toBe(true);
  const kinds = products.filter(isOwn).map((product) => `${product.active} ${isDiscontinued(product)}`);
  expect(kinds.filter((kind) => kind === 'true false').length).toBeGreaterThan(1);
  expect(kinds).toEqual(expect.arrayContaining(['false false', 'true true']));
  expect(new Set(orders.filter(isOwn).map(({ status }) => status))).toEqual(new Set(orderStatuses));
  const packages = fulfillments.filter(isOwn);
  expect(new Set(packages.map(({ status_id }) => status_id))).toEqual(new Set(fulfillmentStatuses));
  // More than a default page.
  expect(packages.length).toBeGreaterThan(20);
});

test('there are users and brands for the rejections', () => {
  const withoutPermissions = users.find((user) => user.permissions.length === 0);
  expect(withoutPermissions?.active && accountOf(withoutPermissions.brand_id)?.active).toBe(true);
  expect(users.some(({ active, brand_id }) => active && accountOf(brand_id)?.active === false)).toBe(true);
  const withoutPag = working.find(({ brand_id }) => pagsOf(brand_id).length === 0);
  expect(hasActiveProduct(withoutPag?.brand_id)).toBe(true);
  const withInactivePag = working.find(({ brand_id }) =>
    pagsOf(brand_id).some(({ duration, status }) => duration === null && status === 'Inactive'),
  );
  expect(hasActiveProduct(withInactivePag?.brand_id)).toBe(true);
  expect(new Set(users.map(({ password }) => password)).size).toBe(users.length);
});

test('only delivered packages have a delivery date, after their pickup', () => {
  for (const { status_id, pickup_date, delivery_date } of fulfillments) {
    expect(delivery_date !== null).toBe(status_id === 'delivered');
    if (delivery_date !== null) expect(Date.parse(pickup_date ?? '')).toBeLessThan(Date.parse(delivery_date));
  }
});
