// The tests of a user, as short as those of docs/guide/vitest.md; each leaves on record which server and which sandbox it was given.

export const config = (setup: boolean): string =>
  `export default { test: { include: ['tests/*.test.js'], globalSetup: ${setup ? "['sachet/vitest/server']" : '[]'} } };\n`;

/** A file of two tests. */
const file = `
import { sampleOrder } from 'sachet';
import { test } from 'sachet/vitest';
import { expect } from 'vitest';

const seen = ({ task, sachet, sandbox }) => Object.assign(task.meta, { url: sachet.baseUrl, sandbox: sandbox.name });

test('an order is placed', async ({ sandbox, sachet, task }) => {
  const response = await sandbox.client().post('/v2/orders', sampleOrder());
  seen({ task, sachet, sandbox });
  expect(response.status).toBe(201);
});

test('and seen by nobody else', async ({ sandbox, sachet, task }) => {
  seen({ task, sachet, sandbox });
  expect((await sandbox.requests.list()).requests).toEqual([]);
});
`;

export const goodTests = { 'tests/one.test.js': file, 'tests/two.test.js': file };

/** Each fails, in a way of its own, after a call that was refused. */
export const badTest = `
import { test } from 'sachet/vitest';
import { expect } from 'vitest';

const refused = async ({ sandbox }) => (await sandbox.client().post('/v2/orders', { order_lines: [] })).status;
test('fails', async ({ sandbox }) => expect(await refused({ sandbox })).toBe(201));
test('is too late', { timeout: 2000 }, async ({ sandbox }) => {
  await refused({ sandbox });
  await new Promise(() => undefined);
});
test('calls too often', async ({ sandbox }) => {
  for (let n = 0; n < 24; n += 1) await sandbox.fetch('/v2/products');
  expect.fail('after 24 calls');
});
test('deletes its sandbox', async ({ sandbox }) => {
  await sandbox.delete();
  expect.fail('without a sandbox');
});
test('is as it should be', async ({ sandbox }) => expect(await refused({ sandbox })).toBe(422));
`;

/** What the sandbox is told, set for some tests. */
export const optionsTest = `
import { test } from 'sachet/vitest';
import { describe, expect } from 'vitest';

describe('with options', () => {
  test.override({ sandboxOptions: { clock: '2026-01-01T00:00:00Z', fixtures: { pags: [] } } });
  test('born so', async ({ sandbox }) => {
    expect((await sandbox.clock.get()).now).toBe('2026-01-01T00:00:00.000Z');
    expect((await sandbox.records.pags.list()).pags).toEqual([]);
  });
});
test('without', async ({ sandbox }) => expect((await sandbox.clock.get()).frozen).toBe(false));
`;

/** A test whose own time stands still. */
export const timersTest = `
import { test } from 'sachet/vitest';
import { expect, vi } from 'vitest';

test('the server goes on', async ({ sandbox }) => {
  vi.useFakeTimers({ now: 0 });
  const { now } = await sandbox.clock.get();
  vi.useRealTimers();
  expect(Number(now.slice(0, 4))).toBeGreaterThan(2025);
});
`;

/** Names that no sandbox can have. */
export const namesTest = `
import { test } from 'sachet/vitest';
import { expect } from 'vitest';

for (const name of ['---', '(An order)', 'Größe', 'a'.repeat(200)])
  test(name, async ({ sandbox }) => expect((await sandbox.fetch('/v2/products')).status).toBe(401));
test('注文する', async ({ sandbox }) => expect((await sandbox.fetch('/v2/products')).status).toBe(401));
`;
