// What stands between a request and its handler: of every part of every operation an acceptance makes what zod makes, and all that zod accepts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceptanceOf, undecided } from '../../../src/contract/acceptance.ts';
import { orderRequest } from '../../../src/contract/order-request.ts';
import { chooseReadings } from '../../../src/contract/readings.ts';
import { orderBody, orderReadings } from '../../support/order-bodies.ts';
import { someOrder } from '../../support/order-requests.ts';
import { agreementOn, isSame } from './agreement.ts';
import { requestParts, severalReadings, termsOf, wronged } from './requests.ts';

describe.each(requestParts)('$name', ({ schema, good = fc.constant(undefined) }) => {
  const readings = fc.constantFrom(...severalReadings);

  test('a good request is accepted without zod, by the default readings', () => {
    const parsing = schema(termsOf(chooseReadings()));
    const property = fc.property(good, (value) => {
      expect(agreementOn(parsing, value)).toBe('both');
    });
    fc.assert(property);
  });

  test('a good request is accepted without zod, by any readings that accept it', () => {
    const property = fc.property(good, readings, (value, chosen) => {
      expect(agreementOn(schema(termsOf(chosen)), value)).not.toBe('zod alone');
    });
    fc.assert(property, { numRuns: 200 });
  });

  test('of a wrong request, too, zod is asked only where it refuses', () => {
    const property = fc.property(wronged(good), readings, (value, chosen) => {
      expect(agreementOn(schema(termsOf(chosen)), value)).not.toBe('zod alone');
    });
    fc.assert(property, { numRuns: 400 });
  });
});

test('orders that are nearly right, by any readings together', () => {
  const property = fc.property(orderBody, orderReadings, (body, readings) => {
    expect(agreementOn(orderRequest(termsOf(chooseReadings(readings))), body)).not.toBe('zod alone');
  });
  fc.assert(property, { numRuns: 500 });
});

test('an acceptance is made once per readings, and follows them', () => {
  const acceptanceBy = (choices: Record<string, string>) =>
    acceptanceOf(orderRequest(termsOf(chooseReadings(choices))));
  expect(acceptanceBy({})).toBe(acceptanceBy({}));
  const body = { ...someOrder(), x: 1 };
  expect(acceptanceBy({})(body)).toBe(undecided);
  expect(acceptanceBy({ unknown_fields: 'ignore' })(body)).toEqual(someOrder());
});

test('what comes in stays as it was', () => {
  const property = fc.property(orderBody, (body) => {
    const before = structuredClone(body);
    acceptanceOf(orderRequest(termsOf(chooseReadings({ numeric_strings: 'accept' }))))(body);
    expect(isSame(body, before)).toBe(true);
  });
  fc.assert(property, { numRuns: 100 });
});
