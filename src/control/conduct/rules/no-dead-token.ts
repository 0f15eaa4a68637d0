// `no_dead_token`: a token that was refused does not come again; refresh tokens likewise.
import type { RuleId } from '../../../contract/rules.ts';
import type { CompletedCall } from '../completed-call.ts';
import { Recent } from '../recent.ts';
import type { Rule } from '../reducer.ts';
import type { Breach } from '../ruling.ts';
import type { Session } from '../sessions.ts';
import { cameAfter, knew, type Told } from '../told.ts';

const finding = 'a token that was refused came again';

interface Doubt extends Breach {
  readonly session: Session;
  /** Whether the user had logged in anew before: that speaks for nothing. */
  readonly wasOver: boolean;
}

export const noDeadToken: Rule = {
  begins: (call) => isTokenRefused(call),
  follow: (ruling, sessions) => {
    const refused = new Recent<string, Told>();
    /** Calls that may have been under way when their token was refused: that a new one is used speaks for them. */
    const doubtful = new Recent<string, Doubt>();
    const isUnrenewed = ([token, { session, wasOver }]: [string, Doubt]): boolean =>
      (session.access === token || session.isUntried) && (wasOver || !session.isOver) && !session.isSpent;
    function came(call: CompletedCall, token: string, told: Told): void {
      const evidence = [told.id, call.id];
      const known = knownTo(call, told);
      if (known === 'yes') ruling.fail(finding, ...evidence);
      if (known !== 'perhaps') return;
      const session = sessions.of(token);
      doubtful.set(token, { finding, evidence, session, wasOver: doubtful.get(token)?.wasOver ?? session.isOver });
    }
    /** A fault that refuses the token of a refresh at once says nothing about it: the client can get no better one. */
    function isBeyondHelp({ isInjected, bearer }: CompletedCall): boolean {
      if (!isInjected || bearer === undefined) return false;
      const session = sessions.of(bearer);
      return session.isUntried && session.access === bearer;
    }
    /** A sandbox that was restored gives the same tokens anew. */
    function given({ got }: CompletedCall): void {
      for (const token of [got.access_token, got.refresh_token])
        if (typeof token === 'string') {
          refused.delete(token);
          doubtful.delete(token);
        }
    }
    return {
      see(call) {
        if (refused.size > 0 && isGiving(call)) given(call);
        const token = tokenOf(call);
        if (token === undefined) return;
        const told = refused.get(token);
        if (told) came(call, token, told);
        if (told || !isTokenRefused(call)) return;
        ruling.test(call.id);
        if (!isBeyondHelp(call)) refused.set(token, call.told);
      },
      owed: () => [...doubtful].find(isUnrenewed)?.[1],
    };
  },
};

/** Calls side by side share one refresh, so of a refresh token the order at the server decides. */
function knownTo(call: CompletedCall, told: Told): 'yes' | 'no' | 'perhaps' {
  if (call.bearer !== undefined) return knew(told, call);
  return cameAfter(told, call) ? 'yes' : 'no';
}

const isGiving = ({ operation, status }: CompletedCall): boolean =>
  status === 200 && (operation === 'authentication.token' || operation === 'authentication.refresh');

function tokenOf(call: CompletedCall): string | undefined {
  if (call.operation !== 'authentication.refresh') return call.bearer;
  const { refresh_token: token } = call.sent;
  return typeof token === 'string' ? token : undefined;
}

const ofRefreshTokens: readonly RuleId[] = ['bad_refresh_token', 'expired_refresh_token'];

const isTokenRefused = ({ status, rules }: CompletedCall): boolean =>
  status === 401 || (status === 400 && rules.some((rule) => ofRefreshTokens.includes(rule)));
