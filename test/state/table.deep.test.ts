// Tables: what they show after any writes, and what they refuse.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { act, type Entry, indexes, ModelledTable, tabled } from '../support/modelled-table.ts';

test.each([
  { kind: 'a table', declared: indexes },
  { kind: 'a table without indexes', declared: [] },
])('$kind shows what was written, over all that was frozen, and nothing that was undone', ({ declared }) => {
  const property = fc.property(fc.array(act, { maxLength: 60, size: 'max' }), (acts) => {
    const modelled = new ModelledTable(declared);
    for (const one of acts) modelled.run(one);
    modelled.expectLasting();
  });
  fc.assert(property, { numRuns: 150 });
});

test('a table refuses a row too many, an id that is taken, and one that it does not have', () => {
  const { table, changes } = tabled();
  for (let n = 3; n < 10; n += 1) table.insert({ id: `${n}`, group: 'a' });
  const { length } = changes;
  expect(() => table.insert({ id: '10', group: 'a' })).toThrow('max_records');
  expect(() => table.insert({ id: '3', group: 'a' })).toThrow('things already has a record 3');
  expect(() => table.remove('x')).toThrow('things has no record x');
  expect(() => table.replace({ id: 'x', group: 'a' })).toThrow('things has no record x');
  expect(() => [...table.walk('other', 'a')]).toThrow('things has no index other');
  expect(changes).toHaveLength(length);
});

test('a table that is written during a walk throws, and does not if the walk is over', () => {
  const { table } = tabled();
  const writing = (entries: Iterable<Entry>) => () => {
    for (const [, row] of entries) table.replace({ ...row });
  };
  expect(writing(table.walk('group', 'a'))).toThrow('things was written during a walk');
  expect(writing(table.newestFirst())).toThrow('things was written during a walk');
  expect(writing([...table.walk('group', 'a')])).not.toThrow();
});
