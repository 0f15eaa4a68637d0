// `token_reuse`: no login while the access token of the last one is good.
import type { CompletedCall } from '../completed-call.ts';
import type { Rule } from '../reducer.ts';

export const tokenReuse: Rule = {
  begins: (call) => isLogin(call) || call.bearer !== undefined,
  follow: (ruling, sessions) => ({
    see(call) {
      const former = isLogin(call) ? sessions.ofLogin(call) : undefined;
      if (former?.told && former.isGood(call.at))
        ruling.fail('a login came while an access token was good', former.told.id, call.id);
      if (call.bearer !== undefined && sessions.of(call.bearer).isUsed) ruling.test(call.id);
    },
  }),
};

const isLogin = ({ operation, status }: CompletedCall): boolean =>
  operation === 'authentication.token' && status === 200;
