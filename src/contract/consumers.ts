// The reads of consumers and the assumed endpoints that create and list them (CAT-2, `consumer_endpoints`).
import { z } from 'zod';
import { newConsumerPattern } from './consumer-pattern.ts';
import { bodyRefusals, operation, pathIdRefusals } from './operation.ts';
import { maybe, pageHeaders, pageOf, pageQuery, pathId } from './paging.ts';
import { perTerms } from './terms.ts';

/** A consumer as the reads answer it; fields as in the new-consumer pattern, and its id. */
const consumerBody = perTerms((terms) =>
  z
    .strictObject({
      id: z.guid(),
      first_name: maybe(terms, z.string()),
      last_name: maybe(terms, z.string()),
      email: maybe(terms, z.string()),
      phone_number: maybe(terms, z.string()),
    })
    .meta({ id: 'Consumer' }),
);

const single = perTerms((terms) =>
  terms.get('single_read_body') === 'wrapped' ? z.strictObject({ consumer: consumerBody(terms) }) : consumerBody(terms),
);

export const consumerOperations = {
  'consumers.list': operation({
    id: 'consumers.list',
    method: 'GET',
    path: '/v2/consumers',
    summary: 'List consumers',
    permission: 'consumers:read',
    offeredBy: 'consumer_endpoints',
    query: perTerms((terms) => pageQuery(terms, {})),
    responses: { 200: perTerms((terms) => pageOf(terms, 'consumers', consumerBody(terms))) },
    headers: pageHeaders,
    shapedBy: ['list_order'],
    refusals: ['consumer_endpoints', 'malformed_parameter', 'over_max_limit', 'unknown_fields'],
  }),
  'consumers.create': operation({
    id: 'consumers.create',
    method: 'POST',
    path: '/v2/consumers',
    summary: 'Create a consumer',
    permission: 'consumers:write',
    offeredBy: 'consumer_endpoints',
    body: perTerms(newConsumerPattern),
    responses: { 201: perTerms((terms) => z.strictObject({ consumer: consumerBody(terms) })) },
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
    id: 'consumers.get',
    method: 'GET',
    path: '/v2/consumers/{id}',
    summary: 'Get a consumer',
    description: 'Tells whether there is a consumer of this id.',
    permission: 'consumers:read',
    params: perTerms((terms) => z.object({ id: pathId(terms, 'a consumer') })),
    responses: { 200: single },
    refusals: [...pathIdRefusals, 'CAT-2', 'foreign_resource'],
  }),
} as const;
