// Signs and badges: the status of a response or a package, and the rules behind a refusal. Text and sign say the same as
// the color.
import type { Child } from 'hono/jsx';
import type { FulfillmentStatus, OrderStatus } from '../../contract/records.ts';
import { rules as catalogue, type RuleId } from '../../contract/rules.ts';
import { isServiceStatus } from '../../domain/fulfillments.ts';
import type { Entry } from '../../journal/entry.ts';
import { RequestDialogLink } from './dialog.tsx';
import { Named } from './labels.tsx';
import { truncate } from './layout.tsx';

/** Colors, by the class of the same name. */
export type Tone = 'good' | 'warning' | 'error' | 'broken' | 'pending' | 'active' | 'muted';

interface BadgeProps {
  /** Shows the kind to readers who do not see the color; hidden from screen readers. */
  readonly sign: string;
  readonly tone: Tone;
  /** Default: a pill. */
  readonly class?: string;
  readonly title?: string;
  readonly text: Child;
}

export const Badge = ({ sign, tone, title, text, ...attributes }: BadgeProps) => (
  <span class={`${attributes.class ?? 'badge'} ${tone}`} title={title}>
    <span aria-hidden="true">{sign}</span> {text}
  </span>
);

const outcomes = {
  good: ['✓', 'accepted'],
  warning: ['▲', 'rejected'],
  error: ['✕', 'failed'],
  broken: ['⌁', 'connection cut'],
  pending: ['…', 'in progress'],
} as const;

function outcomeOf(status: number | null): keyof typeof outcomes {
  if (status === null) return 'broken';
  if (status >= 500) return 'error';
  return status >= 400 ? 'warning' : 'good';
}

interface StatusProps {
  /** Null without a response. */
  readonly status: number | null;
  readonly isOpen?: boolean;
  /** Whether the connection was cut before the caller got the response. */
  readonly isLost?: boolean;
}

/** The status code of a response, with its sign and color. */
export function Status({ status, isOpen = false, isLost = false }: StatusProps) {
  const tone = isOpen ? 'pending' : outcomeOf(isLost ? null : status);
  const [sign, words] = outcomes[tone];
  const text = status ?? (isOpen ? words : 'cut');
  return <Badge sign={sign} tone={tone} class="status" title={words} text={text} />;
}

export const EntryStatus = ({ entry: { answer } }: { readonly entry: Pick<Entry, 'answer'> }) => (
  <Status status={answer?.status ?? null} isOpen={!answer} isLost={answer?.decision.isLost ?? false} />
);

/** Longer paths are cut; the page of the request shows the whole path. */
const maxPath = 80;

/** A request on another page: its method, path and status. */
export const RequestLink = ({ entry }: { readonly entry: Entry }) => (
  <RequestDialogLink id={entry.id}>
    <span class="target">
      {entry.method} {truncate(entry.path, maxPath)}
    </span>{' '}
    <EntryStatus entry={entry} />
  </RequestDialogLink>
);

const orderTones: Readonly<Record<OrderStatus, readonly [tone: Tone, sign: string]>> = {
  Pending: ['pending', '…'],
  'On Hold': ['warning', '‖'],
  'Needs Changes': ['warning', '▲'],
  Accepted: ['active', '▸'],
  'In Production': ['active', '▸▸'],
  Canceled: ['error', '✕'],
};

export function OrderBadge({ status }: { readonly status: OrderStatus }) {
  const [tone, sign] = orderTones[status];
  return <Badge sign={sign} tone={tone} text={status} />;
}

const packageTones: Readonly<Record<FulfillmentStatus, readonly [tone: Tone, sign: string]>> = {
  label_created: ['pending', '…'],
  picked_up: ['active', '▸'],
  in_transit: ['active', '▸▸'],
  delayed: ['warning', '▲'],
  delivered: ['good', '✓'],
  lost: ['error', '✕'],
  returned: ['error', '↩'],
};

/** @param name the name that the sandbox gives the status */
export function PackageBadge({ id, name }: { readonly id: string; readonly name: string }) {
  const [tone, sign] = isServiceStatus(id) ? packageTones[id] : (['pending', '·'] as const);
  return <Badge sign={sign} tone={tone} text={name} />;
}

/** Rules of the contract and assumptions; the tooltip of each says what it requires. */
export const Rules = ({ rules }: { readonly rules: readonly RuleId[] }) =>
  rules.map((rule, index) => [
    index > 0 && ' ',
    isAssumption(rule) ? (
      <span title={catalogue[rule].requires}>
        <Named id={rule} />
      </span>
    ) : (
      <code class="rule" title={catalogue[rule].requires}>
        {rule}
      </code>
    ),
  ]);

/** Only the ids of assumptions are in lower case. */
const isAssumption = (rule: RuleId): boolean => rule === rule.toLowerCase();

/** A text with code between backticks. */
export const MarkedCode = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
);
