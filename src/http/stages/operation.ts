// The last stage: the operation itself, as one transaction that a refusal discards (ORD-27).
import { type Awaitable, andThen } from '../../state/store.ts';
import { handlers } from '../api/handlers.ts';
import type { Call, Reply } from '../call.ts';

type AnyHandler = (call: Call, input: unknown) => Awaitable<Reply>;

export function operation(call: Call): Awaitable<void> {
  const { operation: found } = call.arrival;
  if (!found) throw new Error('the route stage lets no call pass that has no operation');
  const handler = handlers[found.id] as unknown as AnyHandler;
  return andThen(handler(call, call.input), (reply) => {
    call.reply = reply;
  });
}
