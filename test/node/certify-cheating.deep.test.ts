// Two clients that want to be certified without mastering anything: one makes as few calls as it can, the other ignores
// every answer. They pass no scenario, by the endpoints that the sandbox assumes nor by those of the contract alone.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { certification } from '../support/certify.ts';
import { root } from '../support/command.ts';

const cheating = (how: string) => [process.execPath, join(root, 'test/support/cheating-client.mjs'), how];

/** What each lacks first, by the scenario: too few calls of a kind, an outcome, or a rule. */
const lacks = {
  minimal: {
    'discontinued-product': 'label_downloaded',
    doorstep: 'order_followed',
    'inactive-pag': 'order_followed',
    'label-expiry': 'label_downloaded',
    'late-tracking': 'all_fulfillments_read',
    'lost-answer': 'order_followed',
    maintenance: 'order_followed',
    'missing-permission': 'all_fulfillments_read',
    'no-pag': 'label_downloaded',
    'paging-under-change': 'all_fulfillments_read',
    'rate-limit-burst': 'order_followed',
    'server-errors': 'orders.create, status 201',
    'slow-service': 'order_followed',
    'token-expiry': 'order_followed',
  },
  ignoring: {
    'discontinued-product': 'label_downloaded',
    doorstep: 'order_followed',
    'inactive-pag': 'order_followed',
    'label-expiry': 'label_downloaded',
    'late-tracking': 'cursor_to_the_end',
    'lost-answer': 'order_followed',
    maintenance: 'order_followed',
    'missing-permission': 'label_downloaded',
    'no-pag': 'label_downloaded',
    'paging-under-change': 'fulfillments.list, status 200',
    'rate-limit-burst': 'orders.create, status 429',
    'server-errors': 'orders.create, status 201',
    'slow-service': 'order_followed',
    'token-expiry': 'authentication.refresh, status 200',
  },
};
const names = Object.keys(lacks.minimal);
/** One of them takes real time. */
const quick = names.filter((name) => name !== 'slow-service');

test.each(Object.entries(lacks))('a client that is %s passes no scenario', async (how, expected) => {
  const report = await certification([], cheating(how));
  expect([report.code, report.certified]).toEqual([1, false]);
  expect(report.scenarios.map(({ name, outcome }) => [name, outcome])).toEqual(names.map((name) => [name, 'fail']));
  const reasons = report.stderr.matchAll(/^\d+\/14 (\S+): fail after [\d.]+ s: (.*)$/gm);
  const found = new Map(Array.from(reasons, ([, name, reason]) => [name, reason]));
  for (const [name, missing] of Object.entries(expected)) expect(found.get(name), name).toContain(missing);
});

test.each(Object.keys(lacks))(
  'nor does one that is %s where there are the endpoints of the contract only',
  async (how) => {
    const { scenarios } = await certification(['--profile', 'strict', '--only', quick.join(',')], cheating(how));
    expect(scenarios.map(({ name, outcome }) => [name, outcome])).toEqual(quick.map((name) => [name, 'fail']));
  },
);
