// `needs_changes`: an order that is Needs Changes is placed, and does not come again.
import { isRecord } from '../../../contract/schema.ts';
import type { CompletedCall } from '../completed-call.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import { cameAfter, type Told } from '../told.ts';
import { isSameWant } from './same-want.ts';

export const needsChanges: Rule = (ruling) => {
  const placed = new Recent<string, Told>();
  return {
    see(call) {
      if (call.operation !== 'orders.create') return;
      const told = placed.size > 0 ? placed.get(call.key) : undefined;
      if (told && cameAfter(told, call) && isSameWant(told, call))
        ruling.fail('an order that is Needs Changes was submitted again', told.id, call.id);
      if (!isNeedsChanges(call)) return;
      ruling.test(call.id);
      if (!told) placed.set(call.key, call.told);
    },
  };
};

const isNeedsChanges = ({ status, got }: CompletedCall): boolean =>
  (status === 201 || status === 200) && isRecord(got.order) && got.order.status === 'Needs Changes';
