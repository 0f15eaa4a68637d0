// Plain e-mails are good ones: what is known without asking is what Joi's own package says.
import { isEmailValid } from '@hapi/address';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainEmail } from '../../src/contract/plain-email.ts';

const local = fc.array(fc.constantFrom('a', 'B', '_', '+', '-', '.', '9', 'x'.repeat(30), 'ſ', ' ', '!'), {
  maxLength: 6,
});
const domain = fc.array(
  fc.constantFrom('a', 'B', 'com', '.', '.', '-', '9', '0x', 'xn--', 'x'.repeat(30), 'K', '_', '\n', '127'),
  { maxLength: 7 },
);
const near = fc.tuple(local, domain).map(([one, other]) => `${one.join('')}@${other.join('')}`);
/** Texts of the pattern alone would never be long or strange enough. */
const email = fc.oneof(
  near,
  fc.emailAddress(),
  fc.stringMatching(/^[\w+.-]{1,70}@([A-Za-z\d-]{1,64}\.){1,2}[A-Za-z]{2,}$/),
);

test('no plain e-mail is one that Joi refuses', () => {
  const property = fc.property(email, (text) => {
    if (isPlainEmail(text)) expect([text, isEmailValid(text)]).toEqual([text, true]);
  });
  fc.assert(property, { numRuns: 4000 });
});

test.each([
  ['ada.lovelace@example.com', true],
  ['ADA_b+c-d@mail-1.example.co', true],
  [`${'l'.repeat(52)}@example.com`, true],
  [`${'l'.repeat(53)}@example.com`, false],
  ['a@xn--p1ai.com', false],
  ['a@example.c0m', false],
  ['a@127.0.0.1', false],
  ['a..b@example.com', false],
  ['a@b.co\n', false],
])('%s is known: %s', (text, isKnown) => {
  expect(isPlainEmail(text)).toBe(isKnown);
});
