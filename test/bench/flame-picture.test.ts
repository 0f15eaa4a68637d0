// How stacks become a flame graph: their tree, and the picture.
import { expect, test } from 'vitest';
import { benchModule } from './support.ts';

interface Frame {
  readonly name: string;
  readonly group: string;
}
interface Node extends Frame {
  readonly count: number;
  readonly own: number;
  readonly children: Map<string, Node>;
}

const { folded, countsByGroup } = await benchModule<{
  folded(stacks: Frame[][]): Node;
  countsByGroup(root: Node): Record<string, number>;
}>('flame/tree.mjs');
const { flameGraph } = await benchModule<{ flameGraph(root: Node, about: string): string }>('flame/svg.mjs');

const frame = (name: string, group = 'sachet'): Frame => ({ name, group });
const stacks = [
  [frame('main'), frame('a')],
  [frame('main'), frame('a'), frame('b')],
  [frame('main'), frame('b')],
  [frame('main'), frame('scavenge', 'gc'), frame('memmove', 'v8')],
];

test('stacks are one tree; what the collector calls is the collector’s', () => {
  const root = folded(stacks);
  const [main] = [...root.children.values()];
  expect(main).toMatchObject({ name: 'main', count: 4, own: 0 });
  const told = [...(main?.children.values() ?? [])].map(({ name, count, own }) => [name, count, own]);
  expect(told).toEqual([
    ['a', 2, 1],
    ['b', 1, 1],
    ['scavenge', 1, 0],
  ]);
  expect(countsByGroup(root)).toEqual({ sachet: 3, gc: 1, v8: 0 });
});

test('the picture has a frame’s whole name and share, a callee above its caller and no wider, and no script', () => {
  const svg = flameGraph(folded(stacks), 'a <load>');
  const box = (name: string) => {
    const [, x, y, width] = new RegExp(`x="(.*?)" y="(.*?)" width="(.*?)".*<title>${name}:`).exec(svg) ?? [];
    return { x: Number(x), y: Number(y), width: Number(width) };
  };
  const [main, a] = [box('main'), box('a')];
  expect(svg).toContain('<title>a: 50.0 %</title>');
  expect(svg).toContain('a &lt;load>');
  expect(svg).toContain('collecting garbage, 25.0 %');
  expect(a.y).toBeLessThan(main.y);
  expect(a.x).toBe(main.x);
  expect(a.width / main.width).toBeCloseTo(0.5, 2);
  expect(svg).not.toContain('<script');
});

test('what is too narrow to be seen is left out, and takes room all the same', () => {
  const many = Array.from({ length: 500 }, () => [frame('wide')]);
  const svg = flameGraph(folded([...many, [frame('narrow'), frame('inner')]]), 'a load');
  expect(svg).toContain('<title>wide: 99.8 %</title>');
  expect(svg).not.toMatch(/narrow|inner/);
});
