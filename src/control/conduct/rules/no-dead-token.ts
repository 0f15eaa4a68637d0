// `no_dead_token`: a token that was refused does not come again; refresh tokens likewise.
import type { RuleId } from '../../../contract/rules.ts';
import type { CompletedCall } from '../completed-call.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import type { Breach } from '../ruling.ts';
import { knew, type Told } from '../told.ts';

const finding = 'a token that was refused came again';

export const noDeadToken: Rule = (ruling, sessions) => {
  const refused = new Recent<string, Told>();
  /** Calls that may have been under way when their token was refused: that a new one is used then speaks for them. */
  const doubtful = new Recent<string, Breach>();
  const isUnrenewed = ([token]: [string, Breach]): boolean => {
    const { access, isOver } = sessions.of(token);
    return access === token && !isOver;
  };
  return {
    see(call) {
      const token = tokenOf(call);
      if (token === undefined) return;
      const told = refused.get(token);
      const known = told && knew(told, call);
      if (told && known === 'yes') ruling.fail(finding, told.id, call.id);
      if (told && known === 'perhaps') doubtful.set(token, { finding, evidence: [told.id, call.id] });
      if (told || !isTokenRefused(call)) return;
      refused.set(token, call.told);
      ruling.test(call.id);
    },
    owed: () => [...doubtful].find(isUnrenewed)?.[1],
  };
};

function tokenOf({ operation, sent, bearer }: CompletedCall): string | undefined {
  if (operation !== 'authentication.refresh') return bearer;
  return typeof sent.refresh_token === 'string' ? sent.refresh_token : undefined;
}

const ofRefreshTokens: readonly RuleId[] = ['bad_refresh_token', 'expired_refresh_token'];

const isTokenRefused = ({ status, rules }: CompletedCall): boolean =>
  status === 401 || (status === 400 && rules.some((rule) => ofRefreshTokens.includes(rule)));
