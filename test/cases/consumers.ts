// The cases of consumers. Creating and listing them is assumed, and off by default.
import { casesOf, invalid } from './case.ts';
import { bodyBytesCases, commonCases } from './common.ts';
import { newConsumerCases } from './new-consumer.ts';
import { listCases, singleCases } from './reads.ts';
import { known, newConsumer } from './requests.ts';

export const consumersOffered = { consumer_endpoints: 'assumed' } as const;
const common = commonCases(consumersOffered);
const absent = { refused: { status: 404, message: 'Not Found' } };
const { notFound, ...single } = singleCases((id) => `/v2/consumers/${id}`, 'id', known.foreignConsumer, 'Consumer');

const refused = (body: unknown, field: string, message: string) => ({
  assumptions: consumersOffered,
  request: { body },
  refused: invalid(field, message),
});

export const consumerCases = {
  'consumers.list': casesOf('consumers.list', {
    ...common,
    ...listCases('/v2/consumers', consumersOffered),
    consumer_endpoints: absent,
  }),
  'consumers.create': casesOf('consumers.create', {
    ...common,
    ...bodyBytesCases(consumersOffered),
    ...newConsumerCases({
      wrap: (consumer) => consumer,
      prefix: '',
      field: '',
      label: 'value',
      assumptions: consumersOffered,
    }),
    consumer_endpoints: absent,
    'OPEN-3': refused({ ...newConsumer, first_name: 1 }, 'first_name', '"first_name" must be a string'),
    'OPEN-4': refused({ ...newConsumer, email: '' }, 'email', '"email" is not allowed to be empty'),
    'OPEN-6': refused(null, '', '"value" must be of type object'),
    unknown_fields: refused({ ...newConsumer, age: 36 }, 'age', '"age" is not allowed'),
  }),
  'consumers.get': casesOf('consumers.get', { ...commonCases(), ...single, 'CAT-2': notFound }),
} as const;
