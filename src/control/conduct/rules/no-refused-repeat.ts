// `no_refused_repeat`: an order that was refused is mended before it comes again. One that is accepted then was mended elsewhere.
import type { OperationId } from '../../../contract/operations.ts';
import type { CompletedCall } from '../completed-call.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import { cameAfter, type Told } from '../told.ts';

const orders: readonly OperationId[] = ['orders.create', 'orders.update'];
/** Of the token and of the rate limit, and not of the order. */
const others = [401, 429];

export const noRefusedRepeat: Rule = (ruling) => {
  const refused = new Recent<string, Told>();
  return {
    see(call) {
      if (!call.operation || !orders.includes(call.operation) || !isRefused(call)) return;
      const told = refused.get(call.key);
      if (told && cameAfter(told, call))
        ruling.fail(`an order that was refused with ${call.status} came again as it was`, told.id, call.id);
      ruling.test(call.id);
      if (!told) refused.set(call.key, call.told);
    },
  };
};

const isRefused = ({ status }: CompletedCall): boolean =>
  status !== null && status >= 400 && status < 500 && !others.includes(status);
