// The live feed of a sandbox, as server-sent events.
import { controlOperation } from './control-operation.ts';

export const eventOperations = {
  'events.follow': controlOperation({
    id: 'events.follow',
    method: 'GET',
    path: '/_admin/sandboxes/{sandbox}/events',
    summary: 'Follow requests, state changes and the clock, as server-sent events',
    responses: { 200: null },
  }),
} as const;
