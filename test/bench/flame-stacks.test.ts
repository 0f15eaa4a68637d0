// How samples of perf become stacks: the names that count, and whose code they are.
import { expect, test } from 'vitest';
import { benchModule } from './support.ts';

interface Frame {
  readonly name: string;
  readonly group: string;
}

const { withoutStale } = await benchModule<{ withoutStale(map: string): string }>('flame/code-map.mjs');
const { frameOf } = await benchModule<{ frameOf(symbol: string, object: string): Frame | undefined }>(
  'flame/frames.mjs',
);
const { stackReader } = await benchModule<{
  stackReader(onStack: (stack: Frame[]) => void): (line: string) => void;
}>('flame/stacks.mjs');

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
