// `no_refused_repeat`: an order that was refused is mended before it comes again. One that is accepted then was mended elsewhere.
import type { OperationId } from '../../../contract/operations.ts';
import type { CompletedCall } from '../completed-call.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import { cameAfter, type Told } from '../told.ts';

const orders: readonly OperationId[] = ['orders.create', 'orders.update'];

export const noRefusedRepeat: Rule = {
  begins: (call) => isRefusedOrder(call),
  follow: (ruling, sessions) => {
    const refused = new Recent<string, Told>();
    return {
      see(call) {
        if (!isRefusedOrder(call)) return;
        const key = `${sessions.userOf(call)}\n${call.key}`;
        const told = refused.get(key);
        if (told && cameAfter(told, call))
          ruling.fail(`an order that was refused with ${call.status} came again as it was`, told.id, call.id);
        ruling.test(call.id);
        if (!told) refused.set(key, call.told);
      },
    };
  },
};

const isRefusedOrder = ({ operation, isFinal }: CompletedCall): boolean =>
  operation !== null && orders.includes(operation) && isFinal;
