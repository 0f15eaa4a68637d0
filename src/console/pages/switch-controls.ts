// What each switch is turned by: its usual turns as buttons, and the fields of a turn of one's own.
import type { SwitchName, SwitchSettings } from '../../contract/control/switches.ts';

type KeyOf<Name extends SwitchName> = Exclude<keyof SwitchSettings[Name] & string, 'match'>;

/** What is entered: a number, a tick, or one or some of a list. */
export type Entered = 'number' | 'yes' | 'drop' | 'permissions' | 'pags';

export interface ControlField<Key extends string = string> {
  readonly key: Key;
  readonly label: string;
  readonly as: Entered;
  /** Of a number: the least, and the step where it need not be whole. */
  readonly min?: number;
  readonly step?: 'any';
  /** Whether the schema's words stand below it: where its label does not say enough. */
  readonly isExplained?: true;
}

/**
 * A turn by one button: its label, what is said once it is done, and hidden fields by the names of the switch's
 * settings, with their kinds (form-body.ts).
 */
type UsualTurn = readonly [label: string, done: string, fields: Readonly<Record<string, string>>];

export interface SwitchControl<Key extends string = string> {
  /** What it does, in a sentence. */
  readonly effect: string;
  readonly usual: readonly UsualTurn[];
  /** Fields above all others. */
  readonly first?: readonly ControlField<Key>[];
  /** Fields that stand for one another: one of these groups is filled. */
  readonly ways?: readonly (readonly ControlField<Key>[])[];
  /** Whether every call is met where none of them is filled. */
  readonly elseEveryCall?: true;
  /** Fields beside them. */
  readonly more?: readonly ControlField<Key>[];
}

const number = <Key extends string>(key: Key, label: string, min = 1) =>
  ({ key, label, as: 'number', min }) as const satisfies ControlField<Key>;
const time = <Key extends string>(key: Key, label: string) =>
  ({ ...number(key, label, 0), step: 'any' }) as const satisfies ControlField<Key>;

const burst = number('burst', 'Next calls');
const chance = time('probability', 'Chance, 0 to 1');
const expireIssued = { key: 'expire_issued', label: 'Expire all issued so far', as: 'yes', isExplained: true } as const;
const lifetime = { ...number('lifetime_seconds', 'Lifetime in seconds'), isExplained: true } as const;
const ofOrders = { 'match.operation': 'orders.create' };

export const switchControls: { readonly [Name in SwitchName]: SwitchControl<KeyOf<Name>> } = {
  token_expiry: {
    effect: 'Access tokens expire: a call with one is 401 `Token expired`; a login or a refresh gives a good one.',
    usual: [
      ['Expire all tokens', 'All access tokens are expired', { 'expire_issued:yes': '1' }],
      ['Tokens live 60 s', 'New tokens live 60 seconds', { 'lifetime_seconds:number': '60' }],
    ],
    more: [lifetime, expireIssued],
  },
  rate_limit: {
    effect: 'Calls meet the rate limit: 429 with `Retry-After`.',
    usual: [
      ['Next 3 calls: 429', 'The next 3 calls are answered 429', { 'burst:number': '3' }],
      [
        '10 calls a minute',
        'More than 10 calls a minute are answered 429',
        { 'limit:number': '10', 'window_seconds:number': '60' },
      ],
    ],
    ways: [
      [burst],
      [number('for_seconds', 'For seconds')],
      [number('limit', 'Calls per window', 0), number('window_seconds', 'Window in seconds')],
    ],
    more: [{ ...number('retry_after', 'Retry-After in seconds', 0), isExplained: true }],
  },
  inactive_pags: {
    effect: 'PAGs count as Inactive: an order that is made or modified then is Needs Changes.',
    usual: [['All PAGs inactive', 'All PAGs count as inactive', { 'all:yes': '1' }]],
    ways: [[{ key: 'all', label: 'All PAGs', as: 'yes' }], [{ key: 'ids', label: 'Some PAGs', as: 'pags' }]],
  },
  label_expiry: {
    effect: 'Label URLs expire: the storage refuses them.',
    usual: [
      ['Expire all label URLs', 'All label URLs are expired', { 'expire_issued:yes': '1' }],
      ['URLs live 60 s', 'New label URLs live 60 seconds', { 'lifetime_seconds:number': '60' }],
    ],
    more: [lifetime, expireIssued],
  },
  missing_permission: {
    effect: 'Nobody has the permissions that you choose: a call that needs one is 403.',
    usual: [
      [
        'Nobody may write orders',
        'Calls that need orders:write are answered 403',
        { 'permissions:list': 'orders:write' },
      ],
    ],
    more: [{ key: 'permissions', label: 'Permissions that no user has', as: 'permissions' }],
  },
  server_error: {
    effect: 'Calls fail with 500.',
    usual: [
      ['Next call: 500', 'The next call is answered 500', { 'burst:number': '1' }],
      ['Next order: 500', 'The next order is answered 500', { 'burst:number': '1', ...ofOrders }],
    ],
    ways: [[burst], [chance]],
    elseEveryCall: true,
  },
  latency: {
    effect: 'Answers take their time, in real time.',
    usual: [['Every call takes 2 s', 'Calls take 2 s longer', { 'milliseconds:number': '2000' }]],
    ways: [
      [time('milliseconds', 'Milliseconds')],
      [time('min', 'Shortest, in milliseconds'), time('max', 'Longest, in milliseconds')],
    ],
    more: [chance],
  },
  connection: {
    effect: 'Connections break: before the call is processed, after it, or in the middle of the answer.',
    usual: [
      [
        'Next order is lost after it is stored',
        'The next order is stored and its answer lost',
        { drop: 'after_processing', 'burst:number': '1', ...ofOrders },
      ],
    ],
    first: [{ key: 'drop', label: 'Where it breaks', as: 'drop', isExplained: true }],
    ways: [[burst], [chance]],
    elseEveryCall: true,
  },
  maintenance: {
    effect: "Every call fails with 500, until the sandbox's clock has passed.",
    usual: [['Maintenance for 60 s', 'Maintenance for 60 seconds', { 'for_seconds:number': '60' }]],
    more: [number('for_seconds', 'For seconds')],
  },
};
