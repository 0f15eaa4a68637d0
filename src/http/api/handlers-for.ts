// The type of a handler table: an undeclared status or body does not compile.
import type { InputOf, OperationId, ReplyOf } from '../../contract/operations.ts';
import type { Awaitable } from '../../state/store.ts';
import type { Call } from '../call.ts';

export type HandlersFor<Ids extends OperationId> = {
  readonly [Id in Ids]: (call: Call, input: InputOf<Id>) => Awaitable<ReplyOf<Id>>;
};
