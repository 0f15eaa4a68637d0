// What the switches bend inside a call: lifetimes, what counts as expired, which PAGs count as inactive.
import type { LeverKind, LeverOf } from '../contract/admin/lever.ts';
import { limits } from '../contract/limits.ts';
import type { Bent } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import { matches, type RequestFacts } from './match.ts';

type Asked = LeverKind & ('token_expiry' | 'label_expiry' | 'inactive_pags');

/**
 * What is bent for this call.
 * @param note told the name of each switch that bends what is asked
 */
export function bentFor(draft: Draft, call: RequestFacts | undefined, note: (name: Asked) => void): Bent {
  const expired = draft.value('expired');
  const isOff = draft.table('levers').size === 0;
  const [tokens, labels, pags] = isOff
    ? []
    : [
        inForce(draft, 'token_expiry', call),
        inForce(draft, 'label_expiry', call),
        inForce(draft, 'inactive_pags', call),
      ];
  const noted = (name: Asked, bends: boolean): boolean => {
    if (bends) note(name);
    return bends;
  };
  const seconds = (name: Asked, bent: number | undefined, plain: number): number =>
    bent !== undefined && noted(name, true) ? bent : plain;
  const before = {
    tokens: Math.max(expired.tokens, tokens?.generation ?? 0),
    labels: Math.max(expired.labels, labels?.generation ?? 0),
  };
  return {
    accessTokenSeconds: () => seconds('token_expiry', tokens?.settings.lifetime_seconds, limits.accessTokenSeconds),
    labelSeconds: () => seconds('label_expiry', labels?.settings.lifetime_seconds, limits.labelSeconds),
    isExpired: (what, generation) =>
      noted(what === 'tokens' ? 'token_expiry' : 'label_expiry', generation < before[what]),
    isInactivePag: (id) =>
      noted('inactive_pags', pags?.settings.all === true || pags?.settings.ids?.includes(id) === true),
  };
}

function inForce<Kind extends Asked>(
  draft: Draft,
  kind: Kind,
  call: RequestFacts | undefined,
): LeverOf<Kind> | undefined {
  for (const [, lever] of draft.table('levers').walk('turn', kind)) {
    const { match } = lever.settings;
    return !match || (call && matches(match, call)) ? (lever as unknown as LeverOf<Kind>) : undefined;
  }
  return undefined;
}
