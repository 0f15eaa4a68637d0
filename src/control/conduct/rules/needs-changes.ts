// `needs_changes`: an order that is Needs Changes is placed, and does not come again.
import type { OrderStatus } from '../../../contract/records.ts';
import { isRecord } from '../../../contract/schema.ts';
import type { CompletedCall } from '../completed-call.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import { isSameWant } from '../same-want.ts';
import { cameAfter, type Told } from '../told.ts';

export const needsChanges: Rule = {
  begins: (call) => call.operation === 'orders.create' && isNeedsChanges(call),
  follow: (ruling, sessions) => {
    const placed = new Recent<string, Told>();
    return {
      see(call) {
        if (call.operation !== 'orders.create') return;
        const isPlaced = isNeedsChanges(call);
        if (placed.size === 0 && !isPlaced) return;
        const key = `${sessions.userOf(call)}\n${call.key}`;
        const told = placed.get(key);
        if (told && cameAfter(told, call) && isSameWant(told, call))
          ruling.fail('an order that is Needs Changes was submitted again', told.id, call.id);
        if (!isPlaced) return;
        ruling.test(call.id);
        if (!told) placed.set(key, call.told);
      },
    };
  },
};

const waiting: OrderStatus = 'Needs Changes';

const isNeedsChanges = (call: CompletedCall): boolean =>
  (call.status === 201 || call.status === 200) &&
  call.tells(waiting) &&
  isRecord(call.got.order) &&
  call.got.order.status === waiting;
