// Unexpected texts on a label: the fonts show what they can, and nothing leaves its box.
import { expect, test } from 'vitest';
import { drawn, textsOf } from './drawn.ts';

test('letters that the fonts lack are replaced', async () => {
  const replaced = {
    'Paweł, Łódź, Ünï Ørsted': 'Pawel, Lódz, Ünï Ørsted',
    'Dvořák €5 “now” — ok…': 'Dvorák €5 “now” — ok…',
    'ﬁne ½ Ⅷ': 'fine ½ VIII',
    'a\u0301\u202e\u200d b': 'á b',
    '中文 😀': '?? ?',
    'a\ud800b\udc00\u0000\u001f': 'a?b???',
    'tab\there\r\n(\\)': 'tab here  (\\)',
  };
  for (const [text, shown] of Object.entries(replaced))
    expect(textsOf(await drawn({ to: ['x', text] })), text).toContain(shown);
});

test('five contents fit; of more, four are listed and the rest is counted', async () => {
  const contents = Array.from({ length: 9 }, (_, index) => `Pack ${index + 1}`);
  const texts = textsOf(await drawn({ contents }));
  expect(texts.filter((text) => text.startsWith('Pack'))).toEqual(contents.slice(0, 4));
  expect(texts).toContain('+ 5 more');
  expect(textsOf(await drawn({ contents: contents.slice(0, 5) }))).toContain('Pack 5');
});

test.each(['W', '😀', '\n', ''])('many long texts of %j stay in their boxes', async (unit) => {
  const text = unit.repeat(10_000);
  const lines = Array<string>(unit === '' ? 0 : 1000).fill(text);
  const page = await drawn({
    fulfillmentId: text,
    carrier: { name: text, method: text, trackingNumber: text },
    from: lines,
    to: lines,
    orderNumber: text,
    weightGrams: 1.23e21,
    contents: lines,
    createdAt: text,
    updatedAt: text,
  });
  const level = page.texts.filter(({ degrees }) => degrees === 0);
  const edges = page.fills.filter(({ width, height }) => width < 3 && height > 40);
  expect([level.length > 0, edges.length > 0]).toEqual([true, true]);
  for (const { x, y, width } of level) {
    expect([x >= 8, x + width <= 280, y > 8, y < 424]).toEqual([true, true, true, true]);
    const isCrossed = (edge: (typeof edges)[number]) =>
      y > edge.y && y < edge.y + edge.height && x < edge.x && x + width > edge.x;
    expect(edges.filter(isCrossed)).toEqual([]);
  }
  for (const one of level)
    for (const other of level.filter((text) => text !== one && Math.abs(text.y - one.y) < 4))
      expect(one.x + one.width <= other.x || other.x + other.width <= one.x).toBe(true);
});
