// `no_double_submit`: an order whose answer was lost, or a 500, is looked for before it is sent again, and not sent again if it is stored.
import { isRecord } from '../../../contract/schema.ts';
import type { CompletedCall } from '../completed-call.ts';
import { isLook } from '../look.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import { isSameWant } from '../same-want.ts';
import { cameAfter, type Told } from '../told.ts';

/** An order of which the client cannot know whether it is stored. */
interface Doubt {
  readonly told: Told;
  readonly sequence: number;
  /** Where it is stored. */
  readonly orderId: string | undefined;
  /** Whether the client has looked at its orders since. */
  hasLooked: boolean;
  /** Whether it has seen the page that the order would stand on. */
  hasLookedThrough: boolean;
  /** Whether it has seen the order. */
  hasSeen: boolean;
  /** Whether it looked while the order was under way still, which it had given up: so it did what it could. */
  hasLookedBeside: boolean;
}

export const noDoubleSubmit: Rule = {
  begins: (call) => (call.operation === 'orders.create' ? isDoubtful(call) : isLook(call) && call.status === 200),
  follow: (ruling, sessions) => {
    const doubts = new Recent<string, Doubt>();
    /** The last look of each user. */
    const looked = new Recent<string, number>();
    function ordered(call: CompletedCall): void {
      const user = sessions.userOf(call);
      const key = `${user}\n${call.key}`;
      const doubt = doubts.get(key);
      if (doubt && cameAfter(doubt.told, call)) {
        doubts.delete(key);
        const breach = isSameWant(doubt.told, call) ? breachOf(doubt) : undefined;
        if (breach) ruling.fail(breach, doubt.told.id, call.id);
      }
      if (!isDoubtful(call)) return;
      ruling.test(call.id);
      doubts.set(key, doubtOf(call, (looked.get(user) ?? -1) > call.sequence));
    }
    return {
      see(call) {
        if (call.operation === 'orders.create') {
          if (doubts.size > 0 || isDoubtful(call)) ordered(call);
        } else if (isLook(call) && call.status === 200) {
          looked.set(sessions.userOf(call), call.sequence);
          for (const doubt of doubts.values()) look(doubt, call);
        }
      },
    };
  },
};

const doubtOf = (call: CompletedCall, hasLookedBeside: boolean): Doubt => ({
  told: call.told,
  sequence: call.sequence,
  orderId: storedBy(call),
  hasLooked: false,
  hasLookedThrough: false,
  hasSeen: false,
  hasLookedBeside,
});

function look(doubt: Doubt, call: CompletedCall): void {
  if (cameAfter(doubt.told, call)) {
    doubt.hasLooked = true;
    doubt.hasLookedThrough ||= call.next === null || isFirstOfNewest(call);
    doubt.hasSeen ||= doubt.orderId !== undefined && call.tells(doubt.orderId);
  } else doubt.hasLookedBeside ||= call.sequence > doubt.sequence;
}

function breachOf(doubt: Doubt): string | undefined {
  if (doubt.hasLookedBeside && !doubt.hasSeen) return undefined;
  // What is stored and not among the orders any more was taken away: the client could but send it again.
  const isGone = doubt.hasLookedThrough && !doubt.hasSeen;
  if (doubt.orderId !== undefined && !isGone)
    return 'an order was sent again that is stored, though its answer was lost';
  return doubt.hasLooked ? undefined : 'an order was sent again before anybody looked whether it is stored';
}

const isDoubtful = ({ isLost, status }: CompletedCall): boolean => isLost || status === 500;

const isFirstOfNewest = (call: CompletedCall): boolean =>
  call.cursor === null && call.terms?.readings.list_order === 'newest_first';

/** The id of the order that the service has stored by this call. */
function storedBy({ reached, got }: CompletedCall): string | undefined {
  const isStored = reached === 201 || reached === 200;
  return isStored && isRecord(got.order) ? String(got.order.id) : undefined;
}
