// The consumer in an order request, one of two patterns: existing or new (ORD-9 to ORD-13, ORD-26, OPEN-1, OPEN-2); and
// the endpoints of consumers (CAT-2, `consumer_endpoints`).

import { z } from 'zod';
import { limits } from './limits.ts';
import { bodyRefusals, operation, pathIdRefusals } from './operation.ts';
import { listParts, listRefusals } from './paging.ts';
import { type Assumptions, perAssumptions } from './resolved-assumptions.ts';
import type { RuleId } from './rules.ts';
import {
  atMost,
  componentRef,
  docAtLeastOne,
  docNone,
  email,
  guid,
  isRecord,
  nameText,
  object,
  optionalValue,
  pathId,
  pickSchema,
  text,
} from './schema.ts';

const e164 = /^\+[1-9]\d{1,14}$/;

function phone(assumptions: Assumptions) {
  const bounded = atMost(text('new_consumer_contact'), limits.phoneCharacters, 'ORD-13');
  const formed = assumptions.get('phone_format') === 'pattern' ? bounded.regex(e164, 'phone_format') : bounded;
  return formed.meta({ description: 'E.164.' });
}

const forbidden = () => z.never({ error: 'OPEN-1' }).optional();

/** The pattern of an existing consumer: an id, and no field of the other pattern. */
export const existingConsumer = perAssumptions((assumptions) => {
  const others = { first_name: forbidden(), last_name: forbidden(), email: forbidden(), phone_number: forbidden() };
  return object(assumptions, { id: guid(assumptions, 'ORD-10'), ...others }).meta({
    id: 'ExistingConsumer',
    unusedIO: 'input',
  });
});

const contacts = ['email', 'phone_number'];
const fields = ['first_name', 'last_name', ...contacts];
const unreachable = { params: { words: `must contain at least one of [${contacts.join(', ')}]` } };

/** The rules about a new consumer as a whole: a way to reach it, and at least one field. */
type WholeRule = 'new_consumer_contact' | 'OPEN-2';

/**
 * The pattern of a new consumer.
 * @param hasFirstName requires a last name, too
 * @param broken the rule that the consumer breaks as a whole
 */
function newConsumer(assumptions: Assumptions, hasFirstName: boolean, broken?: WholeRule) {
  const contact = assumptions.get('new_consumer_contact');
  const required = (which: string) => contact === which || contact === 'both';
  const pattern = object(assumptions, {
    first_name: nameText(assumptions).optional(),
    last_name: hasFirstName ? nameText(assumptions, 'ORD-9') : nameText(assumptions).optional(),
    email: required('email') ? email(assumptions, 'new_consumer_contact') : email(assumptions).optional(),
    phone_number: required('phone_number') ? phone(assumptions) : phone(assumptions).optional(),
  });
  if (broken === 'OPEN-2') return pattern.refine(() => false, broken);
  return broken ? pattern.refine(() => false, { error: broken, when: () => true, ...unreachable }) : pattern;
}

/** The pattern of a new consumer for OpenAPI documents: one schema for all values. */
export const newConsumerDoc = perAssumptions((assumptions) => {
  const needsContact = assumptions.get('new_consumer_contact') === 'either';
  const isClosed = assumptions.get('unknown_fields') === 'reject';
  const some = isClosed && !needsContact ? { minProperties: 1 } : docAtLeastOne(needsContact ? contacts : fields);
  // If unknown fields are ignored, an id is one of them.
  const pattern = isClosed
    ? newConsumer(assumptions, false).extend({ id: forbidden() })
    : newConsumer(assumptions, false);
  return pattern.meta({
    id: 'NewConsumer',
    unusedIO: 'input',
    ...some,
    dependentRequired: { first_name: ['last_name'] },
  });
});

function brokenRule(assumptions: Assumptions, value: Readonly<Record<string, unknown>>): WholeRule | undefined {
  const isReachable = Object.hasOwn(value, 'email') || Object.hasOwn(value, 'phone_number');
  if (assumptions.get('new_consumer_contact') === 'either' && !isReachable) return 'new_consumer_contact';
  const isEmpty =
    assumptions.get('unknown_fields') === 'reject'
      ? Object.keys(value).length === 0
      : !fields.some((field) => Object.hasOwn(value, field));
  return isEmpty ? 'OPEN-2' : undefined;
}

/** All variants are built at once, so that the assumptions that they use are known before any value is parsed. */
function newConsumerVariants(assumptions: Assumptions) {
  const variants = (hasFirstName: boolean) => ({
    whole: z.compile(newConsumer(assumptions, hasFirstName)),
    'OPEN-2': newConsumer(assumptions, hasFirstName, 'OPEN-2'),
    new_consumer_contact: newConsumer(assumptions, hasFirstName, 'new_consumer_contact'),
  });
  const [withFirstName, withoutFirstName] = [variants(true), variants(false)];
  return (value: Readonly<Record<string, unknown>>) =>
    (Object.hasOwn(value, 'first_name') ? withFirstName : withoutFirstName)[brokenRule(assumptions, value) ?? 'whole'];
}

const wrongType = (missing: RuleId, wrong: RuleId) =>
  z.strictObject({}, { error: ({ input }) => (input === undefined ? missing : wrong) });

/** The consumer of an order request. An `id` selects the pattern. */
export const consumerPattern = perAssumptions((assumptions) => {
  const existing = z.compile(existingConsumer(assumptions));
  const fresh = newConsumerVariants(assumptions);
  const neither = wrongType('ORD-1', 'OPEN-3');
  const withoutId = assumptions.get('unknown_fields') === 'ignore' ? docNone(['id']) : {};
  return pickSchema((value) => (isRecord(value) ? (Object.hasOwn(value, 'id') ? existing : fresh(value)) : neither), {
    oneOf: [componentRef('ExistingConsumer'), { ...componentRef('NewConsumer'), ...withoutId }],
  });
});

/** A new consumer as a whole body (POST /v2/consumers). */
function newConsumerPattern(assumptions: Assumptions) {
  const fresh = newConsumerVariants(assumptions);
  const neither = wrongType('OPEN-6', 'OPEN-6');
  return pickSchema((value) => (isRecord(value) ? fresh(value) : neither), componentRef('NewConsumer'));
}

const consumerBody = perAssumptions((assumptions) =>
  z
    .strictObject({
      id: z.guid(),
      first_name: optionalValue(assumptions, z.string()),
      last_name: optionalValue(assumptions, z.string()),
      email: optionalValue(assumptions, z.string()),
      phone_number: optionalValue(assumptions, z.string()),
    })
    .meta({ id: 'Consumer' }),
);

const single = perAssumptions((assumptions) =>
  assumptions.get('single_read_body') === 'wrapped'
    ? z.strictObject({ consumer: consumerBody(assumptions) })
    : consumerBody(assumptions),
);

export const consumerOperations = {
  'consumers.list': operation({
    operationId: 'listConsumers',
    method: 'GET',
    path: '/v2/consumers',
    summary: 'List consumers',
    permission: 'consumers:read',
    offeredBy: 'consumer_endpoints',
    ...listParts('consumers', consumerBody),
    refusals: ['consumer_endpoints', ...listRefusals],
  }),
  'consumers.create': operation({
    operationId: 'createConsumer',
    method: 'POST',
    path: '/v2/consumers',
    summary: 'Create a consumer',
    permission: 'consumers:write',
    offeredBy: 'consumer_endpoints',
    body: perAssumptions(newConsumerPattern),
    responses: { 201: perAssumptions((assumptions) => z.strictObject({ consumer: consumerBody(assumptions) })) },
    shapedBy: ['new_consumer_match'],
    refusals: [
      'consumer_endpoints',
      ...bodyRefusals,
      'ORD-9',
      'ORD-12',
      'ORD-13',
      'OPEN-2',
      'OPEN-3',
      'OPEN-4',
      'OPEN-6',
      'new_consumer_contact',
      'phone_format',
      'unknown_fields',
    ],
  }),
  'consumers.get': operation({
    operationId: 'getConsumer',
    method: 'GET',
    path: '/v2/consumers/{id}',
    summary: 'Get a consumer',
    description: 'Checks that a consumer with this id exists.',
    permission: 'consumers:read',
    params: perAssumptions((assumptions) => z.object({ id: pathId(assumptions, 'a consumer') })),
    responses: { 200: single },
    refusals: [...pathIdRefusals, 'CAT-2', 'foreign_resource'],
  }),
} as const;
