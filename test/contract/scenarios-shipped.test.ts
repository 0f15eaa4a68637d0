// Every shipped scenario fits the shipped fixtures, and describes its intent and its correct client.
import { expect, test } from 'vitest';
import { readFixtures } from '../../src/contract/fixtures.ts';
import { readScenarios } from '../../src/contract/scenarios.ts';
import { scenarioFaults } from '../../src/sandbox/scenarios.ts';
import { shippedFiles } from '../support/fixture-files.ts';

const fixtures = readFixtures(shippedFiles('fixtures'));
const scenarios = readScenarios(shippedFiles('scenarios'));
const dataOf = (name: string) => scenarios.find((found) => found.name === name)?.data;
const [demo] = fixtures.users;

test('these are shipped', () => {
  expect(scenarios.map(({ name }) => name)).toEqual([
    'discontinued-product',
    'doorstep',
    'inactive-pag',
    'label-expiry',
    'late-tracking',
    'lost-answer',
    'maintenance',
    'missing-permission',
    'no-pag',
    'paging-under-change',
    'rate-limit-burst',
    'server-errors',
    'slow-service',
    'token-expiry',
  ]);
});

test('each fits the fixtures, sets something, has conduct rules, sentences, and an outcome that any client can reach', () => {
  for (const scenario of scenarios) {
    const { name, intent, right_client, switches, faults, assumptions, clock, data, conduct, outcomes } = scenario;
    expect([name, scenarioFaults([scenario], { fixtures })]).toEqual([name, []]);
    expect(switches ?? faults ?? assumptions ?? clock ?? data, name).toBeDefined();
    expect(conduct?.length, name).toBeGreaterThan(0);
    expect(
      outcomes?.some(({ needs }) => needs === undefined),
      name,
    ).toBe(true);
    for (const sentence of [intent, right_client]) expect(sentence).toMatch(/^[A-Z][^\n]{20,}\.$/);
  }
});

test("discontinued-product is behind the first active product of demo's brand", () => {
  const first = fixtures.products.find(({ brand_id, active }) => brand_id === demo?.brand_id && active);
  const operatorProduct = { id: first?.operator_product_id, discontinued: true };
  expect(dataOf('discontinued-product')).toEqual({ operator_products: [operatorProduct] });
});

test("no-pag moves every PAG of demo's brand to a duration that no order of the fixtures has", () => {
  const own = fixtures.pags.filter(({ brand_id }) => brand_id === demo?.brand_id);
  const patches = dataOf('no-pag')?.pags ?? [];
  expect(patches.map(({ id }) => id)).toEqual(own.map(({ id }) => id));
  const ordered = fixtures.orders.flatMap(({ order_lines }) => order_lines.map((line) => line.duration as unknown));
  expect(patches.filter(({ duration }) => typeof duration !== 'number' || ordered.includes(duration))).toEqual([]);
});
