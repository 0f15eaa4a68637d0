// The page of the sandboxes, the dialog for an invite, and the page that the link leads to.
import { expect, test } from 'vitest';
import { testSachet } from '../support/sachet.ts';
import { allOf, consoleOf } from './console.ts';

const button = 'Create and get the link';

test('the host creates a sandbox for a guest, sees its invite, and deletes it', async () => {
  const sachet = testSachet();
  const seen = consoleOf(sachet);
  const { html } = await seen.see('start');
  const typed = { name: 'acme', scenario: 'slow-service', 'ttl_seconds:number': '604800' };
  const created = await seen.press(html, button, typed);
  expect(created.text).toMatch(/http:\/\/localhost:4010\/_console\/acme\/claim#token=\w{52}/);
  const acme = sachet.control.sandbox('acme');
  expect(await acme.get()).toMatchObject({ ttl_seconds: 604_800, invite: { status: 'open' } });
  expect((await acme.scenarios.list()).scenarios).toContainEqual(
    expect.objectContaining({ name: 'slow-service', applied_at: expect.any(String) }),
  );

  const { text, html: page } = await seen.see('sandboxes');
  expect(text).toMatch(/acme … Open until .* After 7 days without use Delete/);
  expect(allOf(page, /<a href="(\w+\/start)"/g).toSorted()).toEqual(['acme/start', 'production/start', 'stage/start']);
  expect((await seen.press(page, 'Delete')).text).toBe('Deleted acme.');
  expect((await seen.see('sandboxes')).text).not.toContain('acme');
});

test('a guest sees and creates no other sandbox', async () => {
  const sachet = testSachet();
  const { key } = await sachet.control.create({ name: 'mine', own_key: true });
  const seen = consoleOf(sachet, 'mine', key ?? '');
  expect((await seen.see('start')).html).not.toContain(button);
  expect((await seen.get('_top/mine')).html).not.toContain('New sandbox');
  const { text, html } = await seen.see('sandboxes');
  expect(text).toContain('Your key opens this sandbox only');
  expect(allOf(html, /<a href="(\w+\/start)"/g)).toEqual(['mine/start']);
  const fields = 'name=other&invite:json={}';
  const type = { 'content-type': 'application/x-www-form-urlencoded', authorization: `Bearer ${key}` };
  const refused = await sachet.call('POST', '/_console/_new/mine', { raw: fields, headers: type });
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Only the admin key can create')]);
});

test('the page of an invite needs no key, and shows nothing but the name in its address', async () => {
  const sachet = testSachet();
  const seen = consoleOf(sachet, 'stage', '');
  const [known, unknown] = await Promise.all([seen.get('stage/claim'), seen.get('nobody/claim')]);
  expect([known.status, known.text]).toEqual([200, expect.stringContaining('Open my sandbox')]);
  expect(unknown.html.replaceAll('nobody', 'stage')).toBe(known.html);
  expect((await seen.get('BAD/claim')).status).toBe(404);
});
