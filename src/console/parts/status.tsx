// How a call was answered, at a glance: the number, and the kind of answer.
import type { Child } from 'hono/jsx';
import type { FulfillmentStatus } from '../../contract/order-progress.ts';
import { isServiceStatus } from '../../domain/fulfillment-status.ts';

// How something stands, at a glance: words, and a sign that tells the kind without its colour.

interface BadgeProps {
  /** Hidden from readers that do not see: the words tell the same. */
  readonly sign: string;
  /** The kind, for the style. */
  readonly class: string;
  readonly id?: string;
  readonly title?: string;
  readonly children: Child;
}

export const Badge = ({ sign, id, title, children, ...given }: BadgeProps) => (
  <span class={given.class} id={id} title={title}>
    <span aria-hidden="true">{sign}</span> {children}
  </span>
);

interface StatusProps {
  /** null where there was no answer. */
  readonly status: number | null;
  /** Whether the call is still under way. */
  readonly isOpen?: boolean;
  /** Whether the caller never got the answer. */
  readonly isLost?: boolean;
}

const kinds = {
  good: ['✓', 'accepted'],
  refused: ['▲', 'refused'],
  failed: ['✕', 'failed'],
  broken: ['⌁', 'connection broken'],
  open: ['…', 'under way'],
} as const;

function kindOf({ status, isOpen = false, isLost = false }: StatusProps): keyof typeof kinds {
  if (isOpen) return 'open';
  if (status === null || isLost) return 'broken';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'good';
}

export function Status(props: StatusProps) {
  const kind = kindOf(props);
  const [sign, words] = kinds[kind];
  return (
    <Badge sign={sign} class={`status ${kind}`} title={words}>
      {props.status ?? (kind === 'open' ? 'under way' : 'broken')}
    </Badge>
  );
}

// A package's status at a glance, by its name in this sandbox.

const packageKinds: Readonly<Record<FulfillmentStatus, readonly [kind: string, sign: string]>> = {
  label_created: ['waits', '…'],
  picked_up: ['goes', '▸'],
  in_transit: ['goes', '▸▸'],
  delayed: ['held', '▲'],
  delivered: ['there', '✓'],
  lost: ['over', '✕'],
  returned: ['over', '↩'],
};

interface PackageBadgeProps {
  /** The status's own id. */
  readonly id: string;
  readonly name: string;
}

export function PackageBadge({ id, name }: PackageBadgeProps) {
  const [kind, sign] = isServiceStatus(id) ? packageKinds[id] : ['waits', '·'];
  return (
    <Badge sign={sign} class={`badge ${kind}`}>
      {name}
    </Badge>
  );
}
