// The page of the assumptions: what is in force, what the calls have touched, and turning them.
import { expect, test } from 'vitest';
import { assumptionIds } from '../../src/contract/assumptions.ts';
import { bent } from '../support/bent.ts';
import { consoleOf } from '../support/console.ts';
import { layered } from '../support/layers.ts';
import { testSachet } from '../support/sachet.ts';

/** What the page says of one assumption, as HTML. */
const ofOne = (html: string, id: string): string =>
  html.split('<li id="assumption-').find((part) => part.startsWith(`${id}"`)) ?? '';
const shownIn = (html: string): string[] =>
  Array.from(html.matchAll(/<li id="assumption-(\w+)"/g), ([, id = '']) => id);

test('all of the register are shown with their readings, the chosen one pressed', async () => {
  const { html, text } = await consoleOf(testSachet()).see('assumptions');
  expect(shownIn(html)).toEqual(assumptionIds);
  expect(text).toContain(`Not touched ${assumptionIds.length}`);
  expect(text).not.toContain('Touched by this client');
  expect(ofOne(html, 'next_cursor').match(/value="(\w+)" aria-pressed="true"/)?.[1]).toBe('body');
  expect(ofOne(html, 'next_cursor').match(/aria-pressed="false"/g)).toHaveLength(3);
});

test('those that calls have asked for come first, with how many and the newest', async () => {
  const { sachet, client } = await bent();
  for (const _ of [1, 2]) await client.get('/v2/fulfillments?limit=1');
  const { html, text } = await consoleOf(sachet).see('assumptions');
  const touched = shownIn(html).indexOf('next_cursor');
  expect(touched).toBeLessThan(shownIn(html).indexOf('validation_placement'));
  expect(text).toContain('next_cursor how the next cursor is returned 2 calls, last GET /v2/fulfillments ✓ 200');
  expect(ofOne(html, 'validation_placement')).not.toContain('last');
});

test('only those touched, or only those changed, where the address says so', async () => {
  const { sachet, client, stage } = await bent();
  const reader = consoleOf(sachet);
  const none = await reader.see('assumptions?show=changed');
  expect(shownIn(none.html)).toEqual([]);
  expect(none.text).toContain('Every assumption has its default.');
  await client.get('/v2/fulfillments?limit=1');
  await stage.assumptions.set({ phone_format: 'length_only' });
  expect(shownIn((await reader.see('assumptions?show=changed')).html)).toEqual(['phone_format']);
  const touched = shownIn((await reader.see('assumptions?show=touched')).html);
  expect(touched).toContain('next_cursor');
  expect(touched).not.toContain('phone_format');
  await reader.act('requests.clear');
  expect((await reader.see('assumptions?show=touched')).text).toContain('No call has touched an assumption');
});

test('a word that is no choice in the address shows all', async () => {
  const { html } = await consoleOf(testSachet()).see('assumptions?show=constructor');
  expect(shownIn(html)).toEqual(assumptionIds);
});

test('a button of a reading turns it, and the next answer follows', async () => {
  const { sachet, client } = await bent();
  const reader = consoleOf(sachet);
  const { html } = await reader.see('assumptions');
  expect(ofOne(html, 'list_order')).toContain('hx-post="_do/stage/assumptions.set"');
  expect(ofOne(html, 'list_order')).toContain('name="list_order" value="oldest_first"');
  const ids = async () => (await client.get('/v2/orders?limit=100')).body.orders.map(({ id }: { id: string }) => id);
  const newestFirst = await ids();
  expect((await reader.act('assumptions.set', { list_order: 'oldest_first', _done: 'Chosen' })).text).toBe('Chosen.');
  expect(await ids()).toEqual(newestFirst.toReversed());
  const turned = await reader.see('assumptions');
  expect(ofOne(turned.html, 'list_order')).toContain('changed');
  expect(turned.text).toContain('1 changed');
});

test('every reading of the register can be chosen by its button', async () => {
  const sachet = testSachet();
  const reader = consoleOf(sachet);
  const { html } = await reader.see('assumptions');
  const buttons = [...html.matchAll(/name="(\w+)" value="([^"]+)" aria-pressed="false"/g)];
  expect(buttons.length).toBeGreaterThan(40);
  for (const [, id = '', choice = ''] of buttons) {
    expect((await reader.act('assumptions.set', { [id]: choice })).status, `${id}=${choice}`).toBe(200);
    expect(await sachet.control.sandbox('stage').assumptions.get()).toMatchObject({ [id]: choice });
  }
});

test('a profile, and back to the defaults', async () => {
  const { sachet, stage } = await bent();
  const reader = consoleOf(sachet);
  expect((await reader.see('assumptions')).html).toContain('name="profile" value="strict"');
  await reader.act('assumptions.set', { profile: 'strict' });
  expect((await stage.assumptions.get()).order_endpoints).toBe('absent');
  await reader.act('assumptions.set', { profile: 'default' });
  expect((await stage.assumptions.get()).order_endpoints).toBe('assumed');
  expect((await reader.see('assumptions')).text).toContain('All defaults');
});

test('a reading that there is not is refused in words', async () => {
  const { status, text } = await consoleOf(testSachet()).act('assumptions.set', { next_cursor: '<script>' });
  expect(status).toBe(422);
  expect(text).toContain('This is not possible.');
  expect(text).toContain('next_cursor');
});

test('what a scenario has turned says which', async () => {
  const { sachet, stage } = await layered({ 'other-cursor': { assumptions: { next_cursor: 'header' } } });
  await stage.scenarios.apply('other-cursor');
  const { html, text } = await consoleOf(sachet).see('assumptions?show=changed');
  expect(shownIn(html)).toEqual(['next_cursor']);
  expect(text).toContain('Set by the scenario Other cursor other-cursor .');
});
