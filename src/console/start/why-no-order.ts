// Why there is no order to send, in words.
import type { Ordering } from '../../control/sample-order.ts';

/** @param ordering undefined where nobody may log in, else without a product */
export const whyNoOrder = (ordering: Ordering | undefined): string =>
  ordering
    ? `The brand of ${ordering.user.username} has no product that can be ordered: each is inactive or discontinued, or there is none.`
    : 'Nobody may log in to this sandbox: no user is active in an active account.';
