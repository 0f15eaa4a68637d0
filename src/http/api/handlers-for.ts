// The type of a handler table: an undeclared status or body does not compile.
import type { InputOf, OperationId, ReplyOf } from '../../contract/operations.ts';
import type { Pieces } from '../../control/journal/pieces.ts';
import type { Awaitable } from '../../state/store.ts';
import type { Call } from '../call.ts';

/** A reply, or one whose body is written already: what is only read is answered with 200 alone. */
type Given<Reply extends { readonly status: number; readonly body: unknown }> = [Reply['status']] extends [200]
  ? Reply | (Pick<Reply, 'status'> & { readonly body: Pieces<Reply['body']>; readonly headers?: Headers })
  : Reply;
type Headers = Readonly<Record<string, string>>;

export type HandlersFor<Ids extends OperationId> = {
  readonly [Id in Ids]: (call: Call, input: InputOf<Id>) => Awaitable<Given<ReplyOf<Id>>>;
};
