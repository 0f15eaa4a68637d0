// The rules of the new-consumer pattern, wherever it stands: in an order, or as a whole body.
import type { Choices } from '../../src/contract/assumptions.ts';
import type { Case } from './case.ts';
import { invalid } from './case.ts';
import { newConsumer } from './requests.ts';

/** Where the pattern stands: the body it is part of, and how its fields and it itself are named. */
interface Place {
  readonly wrap: (consumer: unknown) => unknown;
  readonly prefix: '' | 'consumer.';
  readonly field: '' | 'consumer';
  readonly label: 'value' | 'consumer';
  readonly assumptions: Partial<Choices>;
}

export function newConsumerCases({ wrap, prefix, field, label, assumptions }: Place) {
  const made = (consumer: unknown, at: string, message: string): Case => ({
    assumptions,
    request: { body: wrap(consumer) },
    refused: invalid(at, message),
  });
  const { last_name: _, ...firstNameOnly } = newConsumer;
  const nowhere = { first_name: 'Ada', last_name: 'Lovelace' };
  const unreachable = made(nowhere, field, `"${label}" must contain at least one of [email, phone_number]`);
  return {
    'ORD-9': made(firstNameOnly, `${prefix}last_name`, '"last_name" is required'),
    'ORD-12': made({ ...newConsumer, email: 'ada@' }, `${prefix}email`, '"email" must be a valid email'),
    'ORD-13': made(
      { ...newConsumer, phone_number: '+123456789012345' },
      `${prefix}phone_number`,
      '"phone_number" length must be less than or equal to 15',
    ),
    'OPEN-2': made({}, field, `"${label}" must have at least 1 key`),
    new_consumer_contact: { ...unreachable, assumptions: { ...assumptions, new_consumer_contact: 'either' } },
    phone_format: made(
      { ...newConsumer, phone_number: '0202555' },
      `${prefix}phone_number`,
      '"phone_number" with value "0202555" fails to match the required pattern: /^\\+[1-9]\\d{1,14}$/',
    ),
  } as const;
}
