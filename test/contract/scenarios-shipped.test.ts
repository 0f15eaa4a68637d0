// Every shipped scenario fits the shipped fixtures, and describes its intent and its correct client.
import { expect, test } from 'vitest';
import { readFixtures } from '../../src/contract/fixtures.ts';
import { readScenarios } from '../../src/contract/scenarios.ts';
import { scenarioFaults } from '../../src/sandbox/scenarios.ts';
import { shippedFiles } from '../support/fixture-files.ts';

const fixtures = readFixtures(shippedFiles('fixtures'));
const scenarios = readScenarios(shippedFiles('scenarios'));

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
