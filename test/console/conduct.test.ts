// The conduct page.
import { expect, test } from 'vitest';
import { testSachet } from '../support/sachet.ts';
import { testStage } from '../support/stage.ts';
import { consoleOf } from './console.ts';

test('without calls it says so, and shows how to get a report', async () => {
  const sachet = testSachet();
  const seen = consoleOf(sachet);
  const { status, text } = await seen.see('conduct');
  expect(status).toBe(200);
  for (const part of ['✕ 0 fail ✓ 0 pass – 12 not exercised', 'sachet report --sandbox stage', '/stage/report'])
    expect(text).toContain(part);
  expect(text).toContain('Nothing has called this sandbox yet');
  await sachet.call('GET', '/v2/products');
  const called = await seen.see('conduct');
  expect(called.text).toContain('– 12 not exercised');
  expect(called.text).not.toContain('Nothing has called');
});

test('shows failed rules first, with advice and links to the requests, until the journal drops them', async () => {
  const { sachet, client } = await testStage();
  await client.get('/v2/fulfillments?limit=1');
  const { journal } = await sachet.sandbox();
  const [newest] = journal.newestFirst();
  const seen = consoleOf(sachet);
  const { text, html } = await seen.see('conduct');
  expect(text).toContain('✕ 1 fail');
  expect(text.indexOf('cursor_to_the_end')).toBeLessThan(text.indexOf('token_reuse'));
  expect(text).toContain('Follow the next cursor of every page up to the last page.');
  expect(text).toContain('GET /v2/fulfillments ✓ 200');
  expect(html).toContain(`href="stage/requests/${newest?.id}"`);
  expect(html).toContain(`hx-get="_content/stage/requests/${newest?.id}"`);
  while (journal.get(String(newest?.id))) journal.evictOldest();
  expect((await seen.see('conduct')).text).toContain(`${newest?.id} is no longer stored`);
});
