import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../src/contract/nearest.ts';

const names = ['token_expiry', 'label_expiry', 'rate_limit', 'Active'];

describe('the nearest known name', () => {
  it.each([
    ['token_expirey', 'token_expiry'],
    ['lable_expiry', 'label_expiry'],
    ['RATE-LIMIT', 'rate_limit'],
    ['Activ', 'Active'],
  ])('of %s is %s', (value, name) => {
    expect(didYouMean(value, names)).toBe(` Did you mean "${name}"?`);
  });

  it.each(['', 'weather', 'x'.repeat(100_000)])('is not given for a text that resembles none: %.20s', (value) => {
    expect(didYouMean(value, names)).toBe('');
  });

  it('is not given without names', () => {
    expect(didYouMean('token_expiry', [])).toBe('');
  });
});
