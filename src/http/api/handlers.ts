// One handler per operation: picks the input, calls the domain, chooses the status. A missing one does not compile.
import type { OperationId } from '../../contract/operations.ts';
import { authenticationHandlers } from './authentication.ts';
import { catalogHandlers } from './catalog.ts';
import { consumerHandlers } from './consumers.ts';
import { fulfillmentHandlers } from './fulfillments.ts';
import type { HandlersFor } from './handlers-for.ts';
import { orderHandlers } from './orders.ts';

export const handlers: HandlersFor<OperationId> = {
  ...authenticationHandlers,
  ...catalogHandlers,
  ...consumerHandlers,
  ...orderHandlers,
  ...fulfillmentHandlers,
};
