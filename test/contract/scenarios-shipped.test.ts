// Every shipped scenario reads, fits the shipped fixtures, and says in words what it is for.
import { describe, expect, test } from 'vitest';
import { readFixtures } from '../../src/contract/fixtures.ts';
import { readScenarios } from '../../src/contract/scenarios.ts';
import { scenarioFaults } from '../../src/sandbox/scenarios.ts';
import { shippedFiles } from '../support/shipped-files.ts';

const fixtures = readFixtures(shippedFiles('fixtures'));
const scenarios = readScenarios(shippedFiles('scenarios'));
const scenario = (name: string) => scenarios.find((found) => found.name === name);

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

describe.each(scenarios.map((found) => [found.name, found] as const))('%s', (_, found) => {
  test('fits the shipped fixtures', () => {
    expect(scenarioFaults([found], { fixtures })).toEqual([]);
  });

  test('sets something, and names rules of the conduct report', () => {
    const { switches, faults, assumptions, clock, data, conduct } = found;
    expect([switches, faults, assumptions, clock, data].some((set) => set !== undefined)).toBe(true);
    expect(conduct?.length).toBeGreaterThan(0);
  });

  test('states an outcome that only a client with its order or label can reach, whatever endpoints there are', () => {
    const required = found.outcomes?.filter(({ needs }) => needs === undefined) ?? [];
    expect(required.length).toBeGreaterThan(0);
  });

  test('tells its intent and its right client in sentences', () => {
    for (const words of [found.intent, found.right_client]) expect(words).toMatch(/^[A-Z][^\n]{20,}\.$/);
  });
});

test("discontinued-product is behind the first active product of demo's brand", () => {
  const [demo] = fixtures.users;
  const first = fixtures.products.find(({ brand_id, active }) => brand_id === demo?.brand_id && active);
  expect(scenario('discontinued-product')?.data).toEqual({
    operator_products: [{ id: first?.operator_product_id, discontinued: true }],
  });
});

test("no-pag moves every PAG of demo's brand to a duration that no order of the fixtures has", () => {
  const [demo] = fixtures.users;
  const own = fixtures.pags.filter(({ brand_id }) => brand_id === demo?.brand_id);
  const patches = scenario('no-pag')?.data?.pags ?? [];
  expect(patches.map(({ id }) => id)).toEqual(own.map(({ id }) => id));
  const ordered = fixtures.orders.flatMap(({ order_lines }) => order_lines.map(({ duration }) => duration));
  for (const { duration } of patches) {
    expect(duration).toEqual(expect.any(Number));
    expect(ordered).not.toContain(duration);
  }
});
