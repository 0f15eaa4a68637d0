/** Objects, arrays and literals; what stands between them, and what does not belong there. */
import { type Entry, refused, taken } from './entry.ts';

const objects = taken(
  'an object',
  ['{}', {}],
  ['{"a":1}', { a: 1 }],
  ['{"":1}', { '': 1 }],
  ['{" ":1}', { ' ': 1 }],
  ['{"a":1,"b":2}', { a: 1, b: 2 }],
  ['{"b":1,"a":2,"1":3}', { b: 1, a: 2, 1: 3 }],
  ['{"a":{"a":{"a":{}}}}', { a: { a: { a: {} } } }],
  ['{"a":[{"b":[]}]}', { a: [{ b: [] }] }],
  ['{"a.b":1,"a[0]":2,"$c":3}', { 'a.b': 1, 'a[0]': 2, $c: 3 }],
  [String.raw`{"\u0061":1}`, { a: 1 }],
  [String.raw`{"\u0000":1,"\n":2}`, { '\0': 1, '\n': 2 }],
  [String.raw`{"\ud800":1}`, { '\ud800': 1 }],
  ['{"é":1,"😀":2,"\u2028":3}', { é: 1, '😀': 2, '\u2028': 3 }],
  ['{"-1":1,"1e3":2,"01":3,"4294967295":4}', { '-1': 1, '1e3': 2, '01': 3, 4294967295: 4 }],
);

const twice = taken(
  'a key twice: the last counts',
  ['{"a":1,"a":2}', { a: 2 }],
  ['{"a":1,"b":0,"a":null}', { a: null, b: 0 }],
  [String.raw`{"a":1,"\u0061":2}`, { a: 2 }],
  ['{"a":{"x":1},"a":{"y":2}}', { a: { y: 2 } }],
);

const namesOfObjects = taken(
  'a key that objects have of their own',
  ['{"constructor":1}', { constructor: 1 }],
  ['{"constructor":{"prototype":{"x":1}}}', { constructor: { prototype: { x: 1 } } }],
  ['{"prototype":1}', { prototype: 1 }],
  ['{"toString":1,"valueOf":2}', { toString: 1, valueOf: 2 }],
  ['{"hasOwnProperty":1}', { hasOwnProperty: 1 }],
  ['{"toJSON":"x"}', { toJSON: 'x' }],
  // biome-ignore lint/suspicious/noThenProperty: it shall be nothing special
  ['{"then":"x"}', { then: 'x' }],
  ['{"length":-1}', { length: -1 }],
  ['{"__defineGetter__":1}', { __defineGetter__: 1 }],
  ['{"__proto":1,"_proto_":2,"__PROTO__":3,"__proto__ ":4}', { __proto: 1, _proto_: 2, __PROTO__: 3, '__proto__ ': 4 }],
  ['"__proto__"', '__proto__'],
  ['{"a":"__proto__"}', { a: '__proto__' }],
  [String.raw`{"a":"\"__proto__\":1"}`, { a: '"__proto__":1' }],
);

const proto = refused(
  'a key that would be a prototype',
  '{"__proto__":1}',
  '{"__proto__":null}',
  '{"__proto__":{}}',
  '{"__proto__":[]}',
  '{"a":1,"__proto__":{"b":2}}',
  '{"a":{"__proto__":{"b":2}}}',
  '[{"__proto__":1}]',
  '[[[{"a":[{"__proto__":1}]}]]]',
  '{ "__proto__" : 1 }',
  '{"__proto__":1,"__proto__":2}',
  String.raw`{"\u005f_proto__":1}`,
  String.raw`{"__pro\u0074o__":1}`,
  String.raw`{"\u005f\u005f\u0070\u0072\u006f\u0074\u006f\u005f\u005f":1}`,
  '{"consumer":{"last_name":"x","__proto__":{"email":"a@b.co"}}}',
);

const arrays = taken(
  'an array',
  ['[]', []],
  ['[1]', [1]],
  ['[1,2,3]', [1, 2, 3]],
  ['[[],[[]]]', [[], [[]]]],
  ['[null,true,false,0,"",{},[]]', [null, true, false, 0, '', {}, []]],
);

const literals = [
  ...taken('a literal', ['null', null], ['true', true], ['false', false]),
  ...refused(
    'a literal that is none',
    'True',
    'TRUE',
    'NULL',
    'None',
    'nil',
    'undefined',
    'yes',
    'on',
    'tru',
    'truee',
    'nul',
    'nulll',
  ),
  ...refused(
    'a literal in pieces',
    'n',
    't',
    'f',
    'fals',
    't rue',
    'nu\nll',
    'true false',
    'null null',
    'truefalse',
    '!true',
  ),
];

const commas = refused(
  'a comma',
  ...['{"a":1,}', '{,}', '{,"a":1}', '{"a":1,,"b":2}', '{"a":1 "b":2}', '{"a":1;"b":2}', '{},', ',{}', ','],
  ...['[1,]', '[,]', '[,1]', '[1,,2]', '[1 2]', '[1;2]', '[],', ',[]', '[1],2', '1,2', '"a",', '{"a":[1,]}'],
);
const colons = refused(
  'a colon',
  ...[
    '{"a"}',
    '{"a":}',
    '{"a" 1}',
    '{"a"=1}',
    '{"a"::1}',
    '{:1}',
    '{"a":1:2}',
    '{"a"=>1}',
    '["a":1]',
    ':',
    '"a":1',
    '{"a",1}',
  ],
);
const brackets = refused(
  'a bracket',
  ...['{', '}', '[', ']', '{]', '[}', '{"a":1]', '[1}', '{}}', '[]]', '[[]', '{{}}', '{[]}', '{"a":[}', '{"a":{]}'],
  ...['()', '(1)', '<1>', '[1)', ']1[', '}{', '][', '[[[', '}}}'],
);
const keys = refused(
  'a key that is no text',
  ...[
    '{a:1}',
    '{1:2}',
    '{null:1}',
    '{true:1}',
    '{[]:1}',
    '{{}:1}',
    '{-1:1}',
    '{a-b:1}',
    '{"a"b:1}',
    '{"a":b}',
    '{$:1}',
  ],
);
const more = refused(
  'something behind a value',
  ...[
    '{}{}',
    '{} {}',
    '[][]',
    '{}[]',
    '1 2',
    '{}x',
    '{} x',
    '{};',
    '{}.',
    '{}\n{}',
    '{"a":1}\n{"a":2}\n',
    '{}\\n',
    '{}""',
  ],
);
const others = refused(
  'another language',
  ...[
    '// x',
    '{}// x',
    '// x\n{}',
    '/* x */{}',
    '{}/* x */',
    '{"a":/* x */1}',
    '{"a":1 // x\n}',
    '# x\n{}',
    '{} # x',
    '<!-- x -->{}',
  ],
  ...[
    'f({})',
    '({})',
    ")]}',\n{}",
    'var a = {}',
    '{"a":undefined}',
    '{"a":function(){}}',
    '{"a":new Date(0)}',
    '{"a":/x/}',
  ],
  ...[
    '<a/>',
    '<?xml version="1.0"?><a/>',
    'a=1&b=2',
    '%7B%7D',
    '---\na: 1',
    'a: 1',
    '[a]\nb=1',
    '{"a":NaN}',
    '[Infinity]',
  ],
  ...['\u001e{}\n', 'e30=', '{"a":`b`}', '{...{}}', '{"a":0x1}', '@{}', '{"a":"b"+"c"}', '[1..2]', '{"a"?:1}', '\\{}'],
);

export const structures: readonly Entry[] = [
  ...[...objects, ...twice, ...namesOfObjects, ...proto, ...arrays, ...literals],
  ...[...commas, ...colons, ...brackets, ...keys, ...more, ...others],
];
