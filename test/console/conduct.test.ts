// The page of the conduct report.
import { expect, test } from 'vitest';
import { bent } from '../support/bent.ts';
import { consoleOf } from '../support/console.ts';
import { testSachet } from '../support/sachet.ts';

test('a sandbox that nothing has called says so, and what would bring a judgement', async () => {
  const { status, text } = await consoleOf(testSachet()).see('conduct');
  expect(status).toBe(200);
  expect(text).toContain('Nothing has called this sandbox yet');
  expect(text).toContain('✕ 0 fail ✓ 0 pass – 12 not exercised');
  expect(text).toContain('sachet report --sandbox stage');
  expect(text).toContain('GET /_admin/sandboxes/stage/report');
});

test('one whose calls exercised no rule does not say that nothing has called', async () => {
  const sachet = testSachet();
  await sachet.call('GET', '/v2/products');
  const { text } = await consoleOf(sachet).see('conduct');
  expect(text).toContain('– 12 not exercised');
  expect(text).not.toContain('Nothing has called');
});

test('failed rules come first, with their advice and the requests that show it', async () => {
  const { sachet, client } = await bent();
  await client.get('/v2/fulfillments?limit=1');
  const entries = [...(await sachet.sandbox()).journal.newestFirst()];
  const { text, html } = await consoleOf(sachet).see('conduct');
  expect(text).toContain('✕ 1 fail');
  expect(text).not.toContain('Nothing has called');
  expect(text.indexOf('cursor_to_the_end')).toBeLessThan(text.indexOf('token_reuse'));
  expect(text).toContain(
    'The client did not read a list to its end. Follow the next cursor of every page up to the last page.',
  );
  expect(text).toContain('GET /v2/fulfillments ✓ 200');
  const id = entries[0]?.id;
  expect(html).toContain(`href="stage/requests/${id}"`);
  expect(html).toContain(`hx-get="_content/stage/requests/${id}"`);
});

test('of a request that the journal has forgotten the id is left', async () => {
  const { sachet, client } = await bent();
  const { journal } = await sachet.sandbox();
  await client.get('/v2/fulfillments?limit=1');
  const id = [...journal.newestFirst()][0]?.id;
  while (journal.get(String(id))) journal.evictOldest();
  const { text } = await consoleOf(sachet).see('conduct');
  expect(text).toContain(`${id} is no longer stored`);
});

test('a field with a script for its name is shown as text, and a long path is cut', async () => {
  const { sachet, client, stage } = await bent();
  await client.get('/v2/orders?<script>=1');
  await stage.switches.set({ token_expiry: { expire_issued: true } });
  await client.get(`/v2/products/${'x'.repeat(200)}`);
  const { html, text } = await consoleOf(sachet).see('conduct');
  expect(text).toContain('not in the contract: "<script>"');
  expect(text).toContain(`${'x'.repeat(60)}`);
  expect(html).not.toContain('<script');
  expect(html).not.toContain('x'.repeat(100));
});
