// What a new sandbox may not be told. Of what is refused nothing is made.
import { describe, expect, test } from 'vitest';
import { controlled, namesOf } from '../../support/control.ts';

const bad: Readonly<Record<string, readonly unknown[]>> = {
  name: ['', 'A', '-a', '.a', '_a', 'a b', 'a/b', 'ü', 'a\n', 'x'.repeat(64), 5, null, ['a']],
  environment: ['', 'Stage', 'test', 'team', null, 1],
  random_seed: ['', 'x'.repeat(1001), 0.5, 2 ** 53, true, null],
  ttl_seconds: [0, -1, 1.5, '60', null, 315_360_001, true],
  clock: [
    '',
    'noon',
    '2026-01-01',
    '2026-02-30T00:00:00Z',
    '2026-01-01T00:00:00',
    '++',
    '2026-01-01T00:00:00Z++',
    5,
    true,
  ],
  assumptions: [5, 'strict', [], { nope: 'x' }, { next_cursor: 'x' }, { profile: 'x' }, { profile: null }],
  scenario: [5, null, ['no-pag']],
  fixtures: [5, 'x', [], null],
  own_key: [false, 'short', 'x'.repeat(15), 'x'.repeat(201), 'a key with blanks in it', 'ключ-ключ-ключ-ключ', 5, null],
};

describe.each(Object.entries(bad))('the field %s', (field, values) => {
  test.each(values)('may not be %j', async (value) => {
    const { admin, sachet } = controlled();
    const { status, body } = await admin('POST', '/sandboxes', { name: 'team', [field]: value });
    expect(status).toBe(422);
    expect(body.details[0].field.split('.')[0]).toBe(field);
    expect(body.details[0].message).toMatch(/^found .+, expected .+/s);
    expect(await namesOf({ sachet })).toEqual(['production', 'stage']);
  });
});

test.each(['1969-12-31T23:59:59.999Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00', '1960-01-01T00:00:00Z+'])(
  'the clock %s is not between 1970 and 9999',
  async (clock) => {
    const { admin, sachet } = controlled();
    expect((await admin('POST', '/sandboxes', { name: 'team', clock })).status).toBe(422);
    expect(await namesOf({ sachet })).toEqual(['production', 'stage']);
  },
);

test('a key that is refused is told what a key is', async () => {
  const { body } = await controlled().admin('POST', '/sandboxes', { own_key: 'short' });
  expect(body.details[0].message).toContain('16 to 200 visible ASCII characters');
});
