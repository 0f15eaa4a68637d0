// Pagination, and labels with an expired URL.
import { expect, vi } from 'vitest';
import { all, test } from './client-test.ts';

test('reads all pages', async ({ client, sandbox }) => {
  const paged = await all(client.fulfillments({ limit: 10 }));
  expect(await sandbox.received({ operation: 'fulfillments.list' })).toBe(3);
  const whole = await all(client.fulfillments({ limit: 100 }));
  expect(await sandbox.received({ operation: 'fulfillments.list' })).toBe(4);
  expect(paged.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
});

test('throws if a page has no next_cursor', async ({ client, sandbox }) => {
  await sandbox.assumptions.set({ next_cursor: 'meta' });
  await expect(all(client.fulfillments())).rejects.toThrow('next_cursor');
});

test('downloads a label from a fresh URL after the first one expired', async ({ client, sandbox }) => {
  const [known] = await all(client.fulfillments());
  if (!known) throw new Error('The fixtures have no fulfillment.');
  await sandbox.clock.advance({ by: 'PT15M' });
  const label = await client.label(known);
  expect(new TextDecoder().decode(label.slice(0, 5))).toBe('%PDF-');
  const path = `/_storage/labels/${known.id}.pdf`;
  expect(await sandbox.received({ path, status: 403 })).toBe(1);
  expect(await sandbox.received({ path })).toBe(2);
  expect(await sandbox.received({ operation: 'fulfillments.get' })).toBe(1);
});

test('throws if the fresh label URL is rejected, too', async ({ client, sandbox }) => {
  const [known] = await all(client.fulfillments());
  if (!known) throw new Error('The fixtures have no fulfillment.');
  // Each URL expires before the client can use it.
  const fulfillment = client.fulfillment.bind(client);
  vi.spyOn(client, 'fulfillment').mockImplementation(async (id) => {
    const fresh = await fulfillment(id);
    await sandbox.clock.advance({ by: 'PT15M' });
    return fresh;
  });
  await sandbox.clock.advance({ by: 'PT15M' });
  await expect(client.label(known)).rejects.toThrow(known.id);
  expect(await sandbox.received({ path: `/_storage/labels/${known.id}.pdf` })).toBe(2);
});
