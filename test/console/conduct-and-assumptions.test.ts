// The pages about a client's calls: the conduct rules, and the assumptions that the calls used.
import { describe, expect, test } from 'vitest';
import { assumptionIds } from '../../src/contract/assumptions.ts';
import { testSachet } from '../support/sachet.ts';
import { stageWithScenarios } from '../support/scenarios.ts';
import { testStage } from '../support/stage.ts';
import { allOf, consoleOf } from './console.ts';

describe('conduct', () => {
  test('without calls says so, and shows how to get a report', async () => {
    const sachet = testSachet();
    const seen = consoleOf(sachet);
    const { text } = await seen.see('conduct');
    for (const part of ['✕ 0 fail ✓ 0 pass – 12 not exercised', 'sachet report --sandbox stage', '/stage/report'])
      expect(text).toContain(part);
    expect(text).toMatch(/Nothing has called this sandbox.* Demo data makes no requests\./);
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
    for (const part of ['✕ 1 fail', 'Follow the next cursor', 'GET /v2/fulfillments ✓ 200'])
      expect(text).toContain(part);
    expect(text.indexOf('cursor_to_the_end')).toBeLessThan(text.indexOf('token_reuse'));
    expect(html).toContain(`href="stage/requests/${newest?.id}"`);
    expect(html).toContain(`hx-get="_content/stage/requests/${newest?.id}"`);
    while (journal.get(String(newest?.id))) journal.evictOldest();
    expect((await seen.see('conduct')).text).toContain(`${newest?.id} is no longer stored`);
  });
});

describe('assumptions', () => {
  /** The HTML of one assumption. */
  const itemIn = (html: string, id: string): string =>
    html.split('<li id="assumption-').find((part) => part.startsWith(`${id}"`)) ?? '';
  const shownIn = (html: string): string[] => allOf(html, /<li id="assumption-(\w+)"/g);

  test('are all shown with their choices, the current one pressed; each other button chooses', async () => {
    const sachet = testSachet();
    const seen = consoleOf(sachet);
    const { html, text } = await seen.see('assumptions');
    expect(shownIn(html)).toEqual(assumptionIds);
    expect(text).toContain(`Not touched ${assumptionIds.length}`);
    expect(text).not.toContain('Touched by this client');
    expect(allOf(itemIn(html, 'next_cursor'), /value="(\w+)" aria-pressed="true"/g)).toEqual(['body']);
    expect(itemIn(html, 'next_cursor').match(/aria-pressed="false"/g)).toHaveLength(3);
    expect(new Set(allOf(html, /hx-post="([^"]*)"/g))).toEqual(new Set(['_do/stage/assumptions.set']));
    // An unknown filter shows all.
    expect(shownIn((await seen.see('assumptions?show=constructor')).html)).toEqual(assumptionIds);

    const choices = [...html.matchAll(/name="(\w+)" value="([^"]+)" aria-pressed="false"/g)];
    expect(choices.length).toBeGreaterThan(40);
    for (const [, id = '', choice = ''] of choices) {
      expect((await seen.act('assumptions.set', { [id]: choice })).status, `${id}=${choice}`).toBe(200);
      expect(await sachet.control.sandbox('stage').assumptions.get()).toMatchObject({ [id]: choice });
    }
    const rejected = await seen.act('assumptions.set', { next_cursor: '<script>' });
    expect([rejected.status, rejected.text]).toEqual([422, expect.stringContaining('next_cursor')]);
  });

  test('that calls used come first, with the number of calls and the newest; filters show touched or changed', async () => {
    const { sachet, client, stage } = await testStage();
    const seen = consoleOf(sachet);
    const shown = async (filter: string) => shownIn((await seen.see(`assumptions?show=${filter}`)).html);
    expect((await seen.see('assumptions?show=changed')).text).toContain('Every assumption has its default.');
    for (const _ of [1, 2]) await client.get('/v2/fulfillments?limit=1');
    const { html, text } = await seen.see('assumptions');
    expect(shownIn(html).indexOf('next_cursor')).toBeLessThan(shownIn(html).indexOf('validation_placement'));
    expect(text).toMatch(/next_cursor [a-z ]+ 2 calls, last GET \/v2\/fulfillments ✓ 200/);
    expect(itemIn(html, 'validation_placement')).not.toContain('last');
    await stage.assumptions.set({ phone_format: 'length_only' });
    expect(await shown('changed')).toEqual(['phone_format']);
    const after = await seen.see('assumptions');
    expect([shownIn(after.html)[0], after.text]).toEqual(['phone_format', expect.stringContaining('Changed 1')]);
    expect(await shown('all&q=E.164')).toContain('phone_format');
    expect(await shown('changed&q=Next cursor')).toEqual([]);
    const touched = await shown('touched');
    expect(['next_cursor', 'phone_format'].map((id) => touched.includes(id))).toEqual([true, false]);
    await seen.act('requests.clear');
    expect(await shown('touched')).toEqual([]);
  });

  test('have a profile, and go back to the defaults', async () => {
    const { sachet, stage } = await testStage();
    const seen = consoleOf(sachet);
    const { html } = await seen.see('assumptions');
    for (const label of ['strict', 'default']) expect(html).toContain(`name="profile" value="${label}"`);
    await seen.act('assumptions.set', { profile: 'strict' });
    expect((await stage.assumptions.get()).order_endpoints).toBe('absent');
    await seen.act('assumptions.set', { profile: 'default' });
    expect((await stage.assumptions.get()).order_endpoints).toBe('assumed');
    expect((await seen.see('assumptions')).text).toContain('All defaults');
  });

  test('name the scenario that has changed them', async () => {
    const { sachet, stage } = await stageWithScenarios({ 'other-cursor': { assumptions: { next_cursor: 'header' } } });
    await stage.scenarios.apply('other-cursor');
    const { html, text } = await consoleOf(sachet).see('assumptions?show=changed');
    expect(shownIn(html)).toEqual(['next_cursor']);
    expect(text).toContain('scenario Other cursor other-cursor');
  });
});
