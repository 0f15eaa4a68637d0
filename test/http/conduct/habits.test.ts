// Each habit of a correct client counts: whoever lacks it breaks its rule where a correct client keeps all of them.
import { expect, test } from 'vitest';
import type { ConductRuleId } from '../../../src/contract/control/conduct.ts';
import type { SwitchesSent } from '../../support/bent.ts';
import type { CorrectClient, Habits } from '../../support/conduct/correct-client.ts';
import { livedIn } from '../../support/conduct/world.ts';
import { fulfillmentId, lineOf, pouchOf, products, someAddress } from '../../support/order-requests.ts';
import { isReplicated } from '../../support/test-engine.ts';

const orderOf = (product: string) => ({
  consumer: { first_name: 'Ann', last_name: 'Doe' },
  shipping_address: someAddress,
  order_lines: [lineOf(pouchOf(product))],
});

/** What is wanted of a client. */
type Wish = (client: CorrectClient) => Promise<unknown>;

const get: Wish = (client) => client.call('GET', '/v2/products');
const order: Wish = (client) => client.order({ name: 'Ann', body: orderOf(products.good) });
const refusedOrder: Wish = (client) =>
  client.order({ name: 'Ann', body: orderOf(products.inactive), mended: orderOf(products.good) });
const label: Wish = (client) => client.label(fulfillmentId(1));
const read: Wish = (client) => client.read({ path: '/v2/fulfillments?limit=5' });
const manyCalls: Wish = (client) => Promise.all([get(client), read(client), label(client), order(client)]);

const expired: SwitchesSent = { token_expiry: { expire_issued: true }, label_expiry: { expire_issued: true } };
const limited: SwitchesSent = { rate_limit: { burst: 2 } };
const failing: SwitchesSent = { server_error: { burst: 3 } };
const lost: SwitchesSent = {
  connection: { drop: 'after_processing', burst: 1, match: { operation: 'orders.create' } },
};
const waiting: SwitchesSent = { inactive_pags: { all: true } };

/** The rule, the habit that keeps it, what is done to the sandbox, and what is wanted of the client before and after that. */
const habits: readonly (readonly [ConductRuleId, keyof Habits, SwitchesSent, Wish])[] = [
  ['token_reuse', 'keepsItsToken', {}, get],
  ['refresh_on_401', 'refreshes', expired, get],
  ['refresh_on_401', 'sharesTheRefresh', expired, manyCalls],
  ['refresh_on_401', 'repeatsWhatWasRefused', expired, get],
  ['no_dead_token', 'dropsDeadTokens', expired, get],
  ['retry_after', 'waitsAsLongAsItIsTold', limited, get],
  ['retry_after', 'waitsAsLongAsItIsTold', limited, order],
  ['backoff_on_500', 'pauses', failing, get],
  ['backoff_on_500', 'pausesLongerEachTime', failing, get],
  ['cursor_to_the_end', 'followsCursors', {}, read],
  ['cursor_opaque', 'takesCursorsAsTheyAre', {}, read],
  ['fresh_label', 'asksForFreshLabels', expired, label],
  ['no_double_submit', 'looksBeforeItOrdersAgain', lost, order],
  ['no_double_submit', 'looksBeforeItOrdersAgain', { server_error: { burst: 1 } }, order],
  ['needs_changes', 'takesNeedsChangesAsPlaced', waiting, order],
  ['no_refused_repeat', 'mendsWhatWasRefused', {}, refusedOrder],
  ['documented_fields', 'sendsWhatIsDocumented', {}, order],
];

async function reported(habits: Partial<Habits>, sent: SwitchesSent, wish: Wish) {
  const { stage, time, client } = livedIn();
  const one = client('demo', habits);
  await time.until([get(one), label(one)]);
  await stage.switches.set(sent);
  await time.until([wish(one)]);
  const { rules } = await stage.report.get();
  return (id: ConductRuleId) => rules.find((rule) => rule.id === id)?.outcome;
}

// Over several servers no call in process is known to have had the answer before it, which dead tokens are judged by.
const judgeable = habits.filter(([, habit]) => !isReplicated || habit !== 'dropsDeadTokens');

test.each(judgeable)('%s is kept, but not by a client without the habit: %s', async (id, habit, sent, wish) => {
  const [right, wrong] = [await reported({}, sent, wish), await reported({ [habit]: false }, sent, wish)];
  expect([right(id), wrong(id)]).toEqual(['pass', 'fail']);
});
