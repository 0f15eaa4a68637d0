// How samples of perf become a flame graph: its names, its stacks, their tree, the picture.
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

const { withoutStale } = await benchModule<{ withoutStale(map: string): string }>('flame/code-map.mjs');
const { frameOf } = await benchModule<{ frameOf(symbol: string, object: string): Frame | undefined }>(
  'flame/frames.mjs',
);
const { stackReader } = await benchModule<{
  stackReader(onStack: (stack: Frame[]) => void): (line: string) => void;
}>('flame/stacks.mjs');
const { folded, countsByGroup } = await benchModule<{
  folded(stacks: Frame[][]): Node;
  countsByGroup(root: Node): Record<string, number>;
}>('flame/tree.mjs');
const { flameGraph } = await benchModule<{ flameGraph(root: Node, about: string): string }>('flame/svg.mjs');

const frame = (name: string, group = 'sachet'): Frame => ({ name, group });

test('of code that lies where other code lay, the later one is known, and what only touches it stays', () => {
  const map = '100 10 old\n110 10 neighbour\n108 8 new\n200 0 empty\n90 10 before\n';
  expect(withoutStale(map)).toBe('90 10 before\n108 8 new\n110 10 neighbour\n');
});

test.each([
  ['JS:*createOrder file:///a/place/dist/engine.js:134:21', '/tmp/perf-1.map', 'createOrder engine.js', 'sachet'],
  ['JS:~#c file:///a/place/dist/engine.js:8:4', '/tmp/perf-1.map', '#c engine.js', 'sachet'],
  ['JS:^ file:///a/place/dist/engine.js:99:4', '/tmp/perf-1.map', '(anonymous) engine.js:99', 'sachet'],
  ['JS:*end node:_http_outgoing:9:1', '/tmp/perf-1.map', 'end node:_http_outgoing', 'node'],
  ['node::Parser::OnStreamRead(long, uv_buf_t const&)', '/usr/bin/node', 'node::Parser::OnStreamRead', 'node'],
  ['v8::internal::Scavenger::Process', '/usr/bin/node', 'Scavenger::Process', 'gc'],
  ['v8::internal::JsonParser<unsigned char>::Parse', '/usr/bin/node', 'JsonParser::Parse', 'v8'],
  ['Builtins_ArrayMap', '/usr/bin/node', 'ArrayMap', 'v8'],
  ['tcp_sendmsg', '[kernel.kallsyms]', 'tcp_sendmsg', 'kernel'],
])('%s of %s is %s, of %s', (symbol, object, name, group) => {
  expect(frameOf(symbol, object)).toEqual({ name, group });
});

test.each(['Builtins_JSEntryTrampoline', '[unknown]', 'uv_run', 'v8::internal::Execution::Call'])(
  '%s says nothing',
  (symbol) => expect(frameOf(symbol, '/usr/bin/node')).toBeUndefined(),
);

test('a sample is read from the outermost frame on, under its thread, and not far into the kernel', () => {
  const stacks: Frame[][] = [];
  const read = stackReader((stack) => stacks.push(stack));
  const kernel = ['e', 'd', 'c', 'b', 'a'].map((name) => `\t ff1 ${name} ([kernel.kallsyms])`);
  const script = ['\t 7f1 JS:*write node:net:1:1 (/tmp/perf-1.map)', '\t 7f2 uv_run (/usr/bin/node)'];
  const collecting = '\t 7f3 v8::internal::Scavenger::Process (/usr/bin/node)';
  for (const line of [' 10/10  ', ...kernel, ...script, '', ' 10/11 ', collecting, '', '']) read(line);
  expect(stacks.map((stack) => stack.map(({ name }) => name))).toEqual([
    ['main thread', 'write node:net', 'a', 'b', 'c', 'd'],
    ["V8's threads", 'Scavenger::Process'],
  ]);
});

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
