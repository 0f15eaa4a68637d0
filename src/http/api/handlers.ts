// One handler per operation: picks the input, calls the domain, chooses the status. A missing one does not compile.
import type { InputOf, OperationId, ReplyOf } from '../../contract/operations.ts';
import type { Awaitable } from '../../state/store.ts';
import type { Call } from '../call.ts';
import { authenticationHandlers } from './authentication.ts';
import { catalogHandlers } from './catalog.ts';
import { consumerHandlers } from './consumers.ts';
import { fulfillmentHandlers } from './fulfillments.ts';
import { orderHandlers } from './orders.ts';

export type HandlersFor<Ids extends OperationId> = {
  readonly [Id in Ids]: (call: Call, input: InputOf<Id>) => Awaitable<ReplyOf<Id>>;
};

export const handlers: HandlersFor<OperationId> = {
  ...authenticationHandlers,
  ...catalogHandlers,
  ...consumerHandlers,
  ...orderHandlers,
  ...fulfillmentHandlers,
};
