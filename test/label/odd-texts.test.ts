// Texts that no label expects: they are shown as far as they can be, and nothing leaves its box.
import { describe, expect, test } from 'vitest';
import type { ShippingLabel } from '../../src/domain/labels.ts';
import { drawn, textsOf } from './drawn.ts';

describe('odd texts', () => {
  test.each([
    ['Paweł, Łódź, Ünï Ørsted', 'Pawel, Lódz, Ünï Ørsted'],
    ['Dvořák €5 “now” — ok…', 'Dvorák €5 “now” — ok…'],
    ['ﬁne ½ Ⅷ', 'fine ½ VIII'],
    ['a\u0301\u202e\u200d b', 'á b'],
    ['中文 😀', '?? ?'],
    ['a\ud800b\udc00\u0000\u001f', 'a?b???'],
    ['tab\there\r\n(\\)', 'tab here  (\\)'],
  ])('are shown as far as the fonts go: %j', async (text, shown) => {
    expect(textsOf(await drawn({ to: ['x', text] }))).toContain(shown);
  });

  test('that are many are counted', async () => {
    const contents = Array.from({ length: 9 }, (_, index) => `Pack ${index + 1}`);
    const texts = textsOf(await drawn({ contents }));
    expect(texts.filter((text) => text.startsWith('Pack'))).toEqual(contents.slice(0, 4));
    expect(texts).toContain('+ 5 more');
    expect(textsOf(await drawn({ contents: contents.slice(0, 5) }))).toContain('Pack 5');
  });

  const everywhere = (text: string, lines: number): ShippingLabel => ({
    fulfillmentId: text,
    carrier: { name: text, method: text, trackingNumber: text },
    from: Array<string>(lines).fill(text),
    to: Array<string>(lines).fill(text),
    orderNumber: text,
    weightGrams: 1.23e21,
    contents: Array<string>(lines).fill(text),
    createdAt: text,
    updatedAt: text,
  });
  const hostile = ['W', 'i', '7', 'AV', '😀', '中', 'é', '(', '\\', '\ud800', '\u0000', ' ', '\n', 'a\u0301', 'ﷺ'];

  test.each([...hostile.map((text) => [text.repeat(10_000), 1000] as const), ['', 0] as const])(
    'stay within their boxes: %#',
    async (text, lines) => {
      const page = await drawn(everywhere(text, lines));
      const level = page.texts.filter(({ degrees }) => degrees === 0);
      const edges = page.fills.filter(({ width, height }) => width < 3 && height > 40);
      for (const { x, y, width } of level) {
        expect([x >= 8, x + width <= 280, y > 8, y < 424]).toEqual([true, true, true, true]);
        const crossed = edges.filter(
          (deps) => y > deps.y && y < deps.y + deps.height && x < deps.x && x + width > deps.x,
        );
        expect(crossed).toEqual([]);
      }
      for (const one of level)
        for (const other of level.filter(({ y }) => Math.abs(y - one.y) < 4))
          expect(one === other || one.x + one.width <= other.x || other.x + other.width <= one.x).toBe(true);
    },
  );
});
