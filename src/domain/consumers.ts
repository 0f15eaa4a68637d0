// Consumers: the one an order names or brings along, and the (assumed) endpoints.
import type { OrderRequest } from '../contract/order-request.ts';
import type { RecordOf } from '../contract/records.ts';
import { Refusal } from '../contract/refusal.ts';
import { own, readOwn } from './ownership.ts';
import { type Page, type PageQuery, pageOf } from './paging.ts';
import { emailSlot, type World } from './world.ts';

type Consumer = RecordOf<'consumers'>;
type ConsumerPattern = OrderRequest['consumer'];
type NewConsumer = Exclude<ConsumerPattern, { id: string }>;

export const getConsumer = (world: World, id: string): Consumer => readOwn(world, 'consumers', id);

export const listConsumers = (world: World, query: PageQuery): Page<Consumer> =>
  pageOf(world, 'consumers', 'brand', world.caller.brandId, query);

/**
 * The consumer that an order names or brings along: judged now, added when the rest of the order has been judged.
 * @throws Refusal ORD-11
 */
export function consumerOf(world: World, pattern: ConsumerPattern): () => Consumer {
  if (!('id' in pattern)) return () => addConsumer(world, pattern);
  const consumer = own(world, 'consumers', pattern.id);
  if (!consumer) throw new Refusal('ORD-11', { path: ['consumer', 'id'] });
  return () => consumer;
}

/** A new consumer, or the known one with its e-mail by the reading of `new_consumer_match`. */
export function addConsumer(world: World, pattern: NewConsumer): Consumer {
  return consumerByEmail(world, pattern.email) ?? insertConsumer(world, pattern);
}

function consumerByEmail(world: World, email: string | undefined): Consumer | undefined {
  if (world.terms.get('new_consumer_match') === 'always_new' || email === undefined) return undefined;
  return world.table('consumers').firstOf('email', emailSlot(world.caller.brandId, email));
}

function insertConsumer(world: World, pattern: NewConsumer): Consumer {
  const consumer = {
    id: world.newId('consumers'),
    brand_id: world.caller.brandId,
    first_name: pattern.first_name ?? null,
    last_name: pattern.last_name ?? null,
    email: pattern.email ?? null,
    phone_number: pattern.phone_number ?? null,
  };
  world.table('consumers').insert(consumer);
  return consumer;
}
