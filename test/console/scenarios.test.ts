// Scenarios: each as a card with its intent, applied and taken back.
import { describe, expect, test } from 'vitest';
import { bent } from '../support/bent.ts';
import { consoleOf, textOf } from '../support/console.ts';
import { partOf, press } from '../support/pressed.ts';
import { scenarios } from '../support/sachet.ts';

async function page(options: Parameters<typeof bent>[0] = {}) {
  const world = await bent(options);
  const seen = consoleOf(world.sachet);
  const card = async (name: string) => partOf((await seen.see('switches')).html, 'article', `scenario-${name}`);
  const words = async (name: string) => textOf(await card(name));
  return { ...world, seen, card, words };
}

const appliedIn = async ({ stage }: Awaited<ReturnType<typeof page>>) =>
  (await stage.scenarios.list()).scenarios.filter(({ applied_at }) => applied_at !== null).map(({ name }) => name);

test('every scenario stands with its intent and with what a right client does', async () => {
  const { text } = await (await page()).seen.see('switches');
  for (const { name, intent, right_client } of scenarios) {
    expect(text).toContain(`${name} ○ not applied ${intent}`.replaceAll(/\s+/g, ' '));
    expect(text).toContain(`A correct client: ${right_client}`.replaceAll(/\s+/g, ' '));
  }
});

test('the calls that are expected and the rules of conduct are in small print', async () => {
  const words = await (await page()).words('rate-limit-burst');
  expect(words).toContain(
    'Expected calls: 3 × Create an order orders.create 429 , at least 1 × Create an order orders.create 201',
  );
  expect(words).toContain('Conduct : Retry after retry_after');
});

test('one that is applied bends the sandbox and says since when; taken back, it is as before', async () => {
  const world = await page();
  await press(world.seen, await world.card('rate-limit-burst'), 'Apply');
  expect(await appliedIn(world)).toEqual(['rate-limit-burst']);
  expect((await world.order()).status).toBe(429);
  expect(await world.words('rate-limit-burst')).toMatch(/● applied .* Remove since Nov 20, 2026, 12:00:00 UTC/);
  expect((await world.seen.see('switches')).text).toContain('set by the scenario Rate limit burst rate-limit-burst');

  await press(world.seen, await world.card('rate-limit-burst'), 'Remove');
  expect(await appliedIn(world)).toEqual([]);
  expect((await world.order()).status).toBe(201);
});

describe('scenarios of one’s own', () => {
  test('hostile words are shown as text', async () => {
    const hostile = '<script>alert(1)</script>';
    const world = await page({
      scenarios: [{ name: 'hostile', intent: hostile, right_client: hostile, switches: { server_error: {} } }],
    });
    expect((await world.seen.see('switches')).html).not.toContain('<script>');
    expect(await world.words('hostile')).toContain('A correct client: <script>alert(1)</script>');
  });

  test('where there are none, that is said', async () => {
    const world = await page({ scenarios: [] });
    expect((await world.seen.see('switches')).text).toContain('This server has no scenarios.');
  });
});

test('a name that no scenario has is refused in words', async () => {
  const { status, text } = await (await page()).seen.act('scenarios.apply', {}, { name: 'nothing' });
  expect(status).toBe(404);
  expect(text).toContain('There is no scenario "nothing"');
});

test('an applied one says how many of its calls came, and whether that is as expected', async () => {
  const world = await bent();
  await world.stage.scenarios.apply('rate-limit-burst');
  const words = async () => (await consoleOf(world.sachet).see('switches')).text;
  expect(await words()).toContain('3 × Create an order orders.create 429 (0 received)');
  for (let at = 0; at < 3; at += 1) await world.client.post('/v2/orders', {});
  expect(await words()).toContain('3 × Create an order orders.create 429 (3 received ✓)');
});
