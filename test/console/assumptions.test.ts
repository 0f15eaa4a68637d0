// The assumptions page: the choices in force, the calls that used them, and how to change them.
import { expect, test } from 'vitest';
import { assumptionIds } from '../../src/contract/assumptions.ts';
import { testSachet } from '../support/sachet.ts';
import { stageWithScenarios } from '../support/scenarios.ts';
import { testStage } from '../support/stage.ts';
import { allOf, consoleOf } from './console.ts';

/** The HTML of one assumption. */
const itemIn = (html: string, id: string): string =>
  html.split('<li id="assumption-').find((part) => part.startsWith(`${id}"`)) ?? '';
const shownIn = (html: string): string[] => allOf(html, /<li id="assumption-(\w+)"/g);

test('shows all assumptions with their choices, the current one pressed', async () => {
  const seen = consoleOf(testSachet());
  const { html, text } = await seen.see('assumptions');
  expect(shownIn(html)).toEqual(assumptionIds);
  expect(text).toContain(`Not touched ${assumptionIds.length}`);
  expect(text).not.toContain('Touched by this client');
  expect(allOf(itemIn(html, 'next_cursor'), /value="(\w+)" aria-pressed="true"/g)).toEqual(['body']);
  expect(itemIn(html, 'next_cursor').match(/aria-pressed="false"/g)).toHaveLength(3);
  // An unknown filter shows all.
  expect(shownIn((await seen.see('assumptions?show=constructor')).html)).toEqual(assumptionIds);
});

test('shows those that calls used first, with the number of calls and the newest', async () => {
  const { sachet, client } = await testStage();
  for (const _ of [1, 2]) await client.get('/v2/fulfillments?limit=1');
  const { html, text } = await consoleOf(sachet).see('assumptions');
  expect(shownIn(html).indexOf('next_cursor')).toBeLessThan(shownIn(html).indexOf('validation_placement'));
  expect(text).toContain('next_cursor how the next cursor is returned 2 calls, last GET /v2/fulfillments ✓ 200');
  expect(itemIn(html, 'validation_placement')).not.toContain('last');
});

test('filters by touched and by changed', async () => {
  const { sachet, client, stage } = await testStage();
  const seen = consoleOf(sachet);
  expect((await seen.see('assumptions?show=changed')).text).toContain('Every assumption has its default.');
  await client.get('/v2/fulfillments?limit=1');
  await stage.assumptions.set({ phone_format: 'length_only' });
  expect(shownIn((await seen.see('assumptions?show=changed')).html)).toEqual(['phone_format']);
  const touched = shownIn((await seen.see('assumptions?show=touched')).html);
  expect(touched).toContain('next_cursor');
  expect(touched).not.toContain('phone_format');
  await seen.act('requests.clear');
  expect((await seen.see('assumptions?show=touched')).text).toContain('No call has touched an assumption');
});

test('every choice has a button that chooses it; an unknown choice is rejected', async () => {
  const sachet = testSachet();
  const seen = consoleOf(sachet);
  const choices = (await seen.see('assumptions')).html.matchAll(/name="(\w+)" value="([^"]+)" aria-pressed="false"/g);
  const chosen: string[] = [];
  for (const [, id = '', choice = ''] of choices) {
    expect((await seen.act('assumptions.set', { [id]: choice })).status, `${id}=${choice}`).toBe(200);
    expect(await sachet.control.sandbox('stage').assumptions.get()).toMatchObject({ [id]: choice });
    chosen.push(choice);
  }
  expect(chosen.length).toBeGreaterThan(40);
  const rejected = await seen.act('assumptions.set', { next_cursor: '<script>' });
  expect([rejected.status, rejected.text]).toEqual([422, expect.stringContaining('next_cursor')]);
});

test('a profile, and back to the defaults', async () => {
  const { sachet, stage } = await testStage();
  const seen = consoleOf(sachet);
  expect((await seen.see('assumptions')).html).toContain('name="profile" value="strict"');
  await seen.act('assumptions.set', { profile: 'strict' });
  expect((await stage.assumptions.get()).order_endpoints).toBe('absent');
  await seen.act('assumptions.set', { profile: 'default' });
  expect((await stage.assumptions.get()).order_endpoints).toBe('assumed');
  expect((await seen.see('assumptions')).text).toContain('All defaults');
});

test('names the scenario that has changed an assumption', async () => {
  const { sachet, stage } = await stageWithScenarios({ 'other-cursor': { assumptions: { next_cursor: 'header' } } });
  await stage.scenarios.apply('other-cursor');
  const { html, text } = await consoleOf(sachet).see('assumptions?show=changed');
  expect(shownIn(html)).toEqual(['next_cursor']);
  expect(text).toContain('Set by the scenario Other cursor other-cursor');
});
