// What the switches bend inside a call: lifetimes, what counts as expired, which PAGs count as inactive.
import type { LeverKind, LeverOf } from '../contract/admin/lever.ts';
import { limits } from '../contract/limits.ts';
import type { Bent } from '../domain/world.ts';
import type { Draft } from '../state/draft.ts';
import type { Generations } from '../state/root.ts';
import { matches, type RequestFacts } from './match.ts';

type Asked = LeverKind & ('token_expiry' | 'label_expiry' | 'inactive_pags');

/** The switches that bend what is asked for. */
interface Switches {
  readonly tokens?: LeverOf<'token_expiry'> | undefined;
  readonly labels?: LeverOf<'label_expiry'> | undefined;
  readonly pags?: LeverOf<'inactive_pags'> | undefined;
}

const none: Switches = {};

/** Who meets the switches. */
interface Meeting {
  /** The call, where switches may be meant for some calls only. */
  readonly facts?: RequestFacts | undefined;
  /** Told the name of each switch that bends what is asked. */
  noteBent?(name: Asked): void;
}

/** What is bent for a call. */
export function bentFor(draft: Draft, meeting: Meeting): Bent {
  const isOff = draft.table('levers').size === 0;
  return new BentBySwitches(draft.value('expired'), isOff ? none : switchesIn(draft, meeting.facts), meeting);
}

const switchesIn = (draft: Draft, call: RequestFacts | undefined): Switches => ({
  tokens: inForce(draft, 'token_expiry', call),
  labels: inForce(draft, 'label_expiry', call),
  pags: inForce(draft, 'inactive_pags', call),
});

class BentBySwitches implements Bent {
  readonly #expired: Generations;
  readonly #switches: Switches;
  readonly #meeting: Meeting;

  constructor(expired: Generations, switches: Switches, meeting: Meeting) {
    this.#expired = expired;
    this.#switches = switches;
    this.#meeting = meeting;
  }

  accessTokenSeconds(): number {
    return this.#seconds('token_expiry', this.#switches.tokens?.settings.lifetime_seconds, limits.accessTokenSeconds);
  }

  labelSeconds(): number {
    return this.#seconds('label_expiry', this.#switches.labels?.settings.lifetime_seconds, limits.labelSeconds);
  }

  isExpired(what: 'tokens' | 'labels', generation: number): boolean {
    const before = Math.max(this.#expired[what], this.#switches[what]?.generation ?? 0);
    return this.#noted(what === 'tokens' ? 'token_expiry' : 'label_expiry', generation < before);
  }

  isInactivePag(id: string): boolean {
    const settings = this.#switches.pags?.settings;
    return this.#noted('inactive_pags', settings?.all === true || settings?.ids?.includes(id) === true);
  }

  #seconds(name: Asked, bent: number | undefined, plain: number): number {
    return bent !== undefined && this.#noted(name, true) ? bent : plain;
  }

  #noted(name: Asked, bends: boolean): boolean {
    if (bends) this.#meeting.noteBent?.(name);
    return bends;
  }
}

function inForce<Kind extends Asked>(
  draft: Draft,
  kind: Kind,
  call: RequestFacts | undefined,
): LeverOf<Kind> | undefined {
  const lever = draft.table('levers').firstOf('turn', kind);
  if (!lever) return undefined;
  const { match } = lever.settings;
  return !match || (call && matches(match, call)) ? (lever as unknown as LeverOf<Kind>) : undefined;
}
