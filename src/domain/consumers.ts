// Consumers: the one an order names or brings along, and the (assumed) endpoints.
import type { OrderRequest } from '../contract/order-request.ts';
import type { RecordOf } from '../contract/records.ts';
import { Refusal } from '../contract/refusal.ts';
import { type Page, type PageQuery, pageOf } from './paging.ts';
import { own, readOwn } from './reads.ts';
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
  const { brandId } = world.caller;
  const { first_name = null, last_name = null, email = null, phone_number = null } = pattern;
  const consumers = world.table('consumers');
  const isMatched = world.assumptions.get('new_consumer_match') !== 'always_new' && email !== null;
  const known = isMatched ? consumers.firstOf('email', emailSlot(brandId, email)) : undefined;
  if (known) return known;
  const consumer = { id: world.newId('consumers'), brand_id: brandId, first_name, last_name, email, phone_number };
  consumers.insert(consumer);
  return consumer;
}
