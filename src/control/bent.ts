// What the switches bend inside a call: lifetimes, what counts as expired, which PAGs count as inactive.
import type { LeverKind, LeverOf } from '../contract/admin/lever.ts';
import { limits } from '../contract/limits.ts';
import type { Bent } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import { matches, type RequestFacts } from './match.ts';

type Asked = LeverKind & ('token_expiry' | 'label_expiry' | 'inactive_pags');

/** What is bent for this call. */
export function bentFor(draft: Draft, call: RequestFacts | undefined): Bent {
  const expired = draft.value('expired');
  const plain = { accessTokenSeconds: limits.accessTokenSeconds, labelSeconds: limits.labelSeconds, expired };
  if (draft.table('levers').size === 0) return { ...plain, isInactivePag: no };
  const [tokens, labels, pags] = [
    inForce(draft, 'token_expiry', call),
    inForce(draft, 'label_expiry', call),
    inForce(draft, 'inactive_pags', call),
  ];
  return {
    accessTokenSeconds: tokens?.settings.lifetime_seconds ?? plain.accessTokenSeconds,
    labelSeconds: labels?.settings.lifetime_seconds ?? plain.labelSeconds,
    expired: {
      tokens: Math.max(expired.tokens, tokens?.generation ?? 0),
      labels: Math.max(expired.labels, labels?.generation ?? 0),
    },
    isInactivePag: pags ? (id) => pags.settings.all === true || pags.settings.ids?.includes(id) === true : no,
  };
}

const no = (): boolean => false;

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
