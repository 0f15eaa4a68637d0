// `cursor_to_the_end`: every next cursor that a page gave is followed, but for lists of orders.
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';

export const cursorToTheEnd: Rule = {
  begins: ({ next }) => next !== undefined,
  follow: (ruling) => {
    /** The requests that gave cursors which were not followed yet. */
    const given = new Recent<string, string>();
    return {
      see(call) {
        // Whoever looks whether an order is stored needs the newest ones only.
        if (call.operation === 'orders.list') return;
        const followed = call.cursor;
        // Whoever is refused the page for good can follow no further.
        if (call.isFinal && followed !== null) given.delete(`${call.name} ${followed}`);
        // Nobody reads the page of a HEAD.
        if (call.next === undefined || call.status === null || call.method === 'HEAD') return;
        if (followed !== null) given.delete(`${call.name} ${followed}`);
        if (call.next !== null) given.set(`${call.name} ${call.next}`, call.id);
        if (followed !== null || call.next !== null) ruling.test(call.id);
      },
      owed: () =>
        given.size > 0 ? { finding: 'a list was not read to its end', evidence: [...given.values()] } : undefined,
    };
  },
};
