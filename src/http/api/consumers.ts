// Handlers of the consumer endpoints (CAT-2).
import { addConsumer, getConsumer, listConsumers } from '../../domain/consumers.ts';
import { presentConsumer } from '../../domain/present.ts';
import { whole } from './fragments.ts';
import type { HandlersFor } from './handlers-for.ts';
import { listed } from './listed.ts';

export const consumerHandlers: HandlersFor<'consumers.list' | 'consumers.create' | 'consumers.get'> = {
  'consumers.list': (call, { query }) =>
    call.read((world) => {
      const page = listConsumers(world, query);
      return listed(call, world, page, (beside) =>
        whole({ consumers: page.rows.map((consumer) => presentConsumer(world, consumer)), ...beside }),
      );
    }),
  'consumers.create': (call, { body }) =>
    call.write((world) => ({ status: 201, body: { consumer: presentConsumer(world, addConsumer(world, body)) } })),
  'consumers.get': (call, { params }) =>
    call.read((world) => {
      const consumer = presentConsumer(world, getConsumer(world, params.id));
      const wrapped = world.terms.get('single_read_body') === 'wrapped';
      return { status: 200, body: wrapped ? { consumer } : consumer };
    }),
};
