// `no_double_submit`: an order whose answer was lost, or a 500, is looked for before it is sent again, and not sent again if it is stored.
import type { OperationId } from '../../../contract/operations.ts';
import type { CompletedCall } from '../completed-call.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import { cameAfter, type Told } from '../told.ts';
import { isSameWant } from './same-want.ts';

/** An order of which the client cannot know whether it is stored. */
interface Doubt {
  readonly told: Told;
  readonly isStored: boolean;
  /** Whether the client has looked at its orders since. */
  hasLooked: boolean;
}

const looks: readonly OperationId[] = ['orders.list', 'orders.get'];

export const noDoubleSubmit: Rule = (ruling) => {
  const doubts = new Recent<string, Doubt>();
  function ordered(call: CompletedCall): void {
    const doubt = doubts.size > 0 ? doubts.get(call.key) : undefined;
    if (doubt && cameAfter(doubt.told, call)) {
      doubts.delete(call.key);
      const breach = isSameWant(doubt.told, call) ? breachOf(doubt) : undefined;
      if (breach) ruling.fail(breach, doubt.told.id, call.id);
    }
    if (!isDoubtful(call)) return;
    ruling.test(call.id);
    doubts.set(call.key, { told: call.told, isStored: isStored(call), hasLooked: false });
  }
  return {
    see(call) {
      if (call.operation === 'orders.create') ordered(call);
      else if (doubts.size > 0 && hasLooked(call))
        for (const doubt of doubts.values()) doubt.hasLooked ||= cameAfter(doubt.told, call);
    },
  };
};

function breachOf({ isStored, hasLooked }: Doubt): string | undefined {
  if (isStored) return 'an order was sent again that is stored, though its answer was lost';
  return hasLooked ? undefined : 'an order was sent again before anybody looked whether it is stored';
}

const hasLooked = ({ operation, status }: CompletedCall): boolean =>
  status === 200 && operation !== null && looks.includes(operation);
const isDoubtful = ({ isLost, status }: CompletedCall): boolean => isLost || status === 500;
const isStored = ({ reached }: CompletedCall): boolean => reached === 201 || reached === 200;
