import { addConsumer, getConsumer, listConsumers } from '../../domain/consumers.ts';
import { presentConsumer, presentPage } from '../../domain/present.ts';
import { requestUrl } from '../call.ts';
import type { HandlersFor } from './handlers-for.ts';

export const consumerHandlers: HandlersFor<'consumers.list' | 'consumers.create' | 'consumers.get'> = {
  'consumers.list': (call, { query }) =>
    call.read((world) => {
      const page = listConsumers(world, query);
      return {
        status: 200,
        ...presentPage(world, 'consumers', page, (row) => presentConsumer(world, row), requestUrl(call)),
      };
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
