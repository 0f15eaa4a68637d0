// `token_reuse`: no login while the access token of the last one is good.
import type { CompletedCall } from '../completed-call.ts';
import type { Rule } from '../reducer.ts';
import type { Session } from '../sessions.ts';

export const tokenReuse: Rule = (ruling, sessions) => {
  const used = new WeakSet<Session>();
  return {
    see(call) {
      const former = isLogin(call) ? sessions.ofLogin(call) : undefined;
      if (former?.told && former.isGood(call.at))
        ruling.fail('a login came while an access token was good', former.told.id, call.id);
      if (call.bearer === undefined) return;
      const session = sessions.of(call.bearer);
      if (used.has(session)) ruling.test(call.id);
      used.add(session);
    },
  };
};

const isLogin = ({ operation, status }: CompletedCall): boolean =>
  operation === 'authentication.token' && status === 200;
