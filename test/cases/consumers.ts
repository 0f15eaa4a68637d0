// The cases of consumers. Creating and listing them is assumed, and off by default.
import { type CaseTable, invalid } from './case.ts';
import { singleCases } from './common.ts';
import { newConsumerCases } from './new-consumer.ts';
import { known, newConsumer } from './requests.ts';

const consumersOffered = { consumer_endpoints: 'assumed' } as const;

const refused = (body: unknown, field: string, message: string) => ({
  assumptions: consumersOffered,
  request: { body },
  refused: invalid(field, message),
});

export const consumerCases = {
  'consumers.create': {
    ...newConsumerCases({
      wrap: (consumer) => consumer,
      prefix: '',
      field: '',
      label: 'value',
      assumptions: consumersOffered,
    }),
    'OPEN-3': refused({ ...newConsumer, first_name: 1 }, 'first_name', '"first_name" must be a string'),
    'OPEN-4': refused({ ...newConsumer, email: '' }, 'email', '"email" is not allowed to be empty'),
    'OPEN-6': refused(null, '', '"value" must be of type object'),
    unknown_fields: refused({ ...newConsumer, age: 36 }, 'age', '"age" is not allowed'),
  },
  'consumers.get': singleCases('consumers.get', 'CAT-2', 'Consumer', known.foreignConsumer),
} as const satisfies Partial<CaseTable>;
