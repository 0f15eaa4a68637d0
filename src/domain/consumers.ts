// Consumers: the one that an order names or brings along, and the (assumed) endpoints.
import type { OrderRequest } from '../contract/order-request.ts';
import type { RecordOf } from '../contract/records.ts';
import { Refusal } from '../contract/refusal.ts';
import { applyAbsentValues, findOwned, getOwned, type PageQuery, pageOf } from './reads.ts';
import { emailSlot, type World } from './world.ts';

type Consumer = RecordOf<'consumers'>;
type ConsumerPattern = OrderRequest['consumer'];
type NewConsumer = Exclude<ConsumerPattern, { id: string }>;

export const getConsumer = (world: World, id: string) => presentConsumer(world, getOwned(world, 'consumers', id));

export function listConsumers(world: World, query: PageQuery) {
  const { rows, next } = pageOf(world, 'consumers', 'brand', world.caller.brandId, query);
  return { consumers: rows.map((consumer) => presentConsumer(world, consumer)), next };
}

export const createConsumer = (world: World, pattern: NewConsumer) =>
  presentConsumer(world, addConsumer(world, pattern));

/**
 * Checks the consumer of an order. The returned function adds a new one: call it after all other checks.
 * @throws Refusal ORD-11
 */
export function consumerOf(world: World, pattern: ConsumerPattern): () => Consumer {
  if (!('id' in pattern)) return () => addConsumer(world, pattern);
  const consumer = findOwned(world, 'consumers', pattern.id);
  if (!consumer) throw new Refusal('ORD-11', { path: ['consumer', 'id'] });
  return () => consumer;
}

/** Adds a consumer, or returns the existing one with the same email address (`new_consumer_match`). */
function addConsumer(world: World, pattern: NewConsumer): Consumer {
  const { brandId } = world.caller;
  const { first_name = null, last_name = null, email = null, phone_number = null } = pattern;
  const consumers = world.table('consumers');
  const isMatched = world.assumptions.get('new_consumer_match') !== 'always_new' && email !== null;
  const existing = isMatched ? consumers.firstOf('email', emailSlot(brandId, email)) : undefined;
  if (existing) return existing;
  const consumer = { id: world.newId('consumers'), brand_id: brandId, first_name, last_name, email, phone_number };
  consumers.insert(consumer);
  return consumer;
}

/** Record → wire. */
function presentConsumer({ assumptions }: World, consumer: RecordOf<'consumers'>) {
  const { id, first_name, last_name, email, phone_number } = consumer;
  return applyAbsentValues(assumptions.get('absent_values'), { id, first_name, last_name, email, phone_number });
}
