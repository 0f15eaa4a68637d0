// How something stands at a glance: answers, packages, requests, and the rules behind them.
import type { Child } from 'hono/jsx';
import type { FulfillmentStatus } from '../../contract/records.ts';
import { explanations, type RuleId } from '../../contract/rules.ts';
import { isServiceStatus } from '../../domain/fulfillments.ts';
import type { Entry } from '../../journal/entry.ts';
import { cut, RequestInDrawer } from './page.tsx';

interface BadgeProps {
  /** Tells the kind without its colour; hidden from readers that do not see, as the words tell the same. */
  readonly sign: string;
  /** The kind, for the style. */
  readonly class: string;
  readonly id?: string;
  readonly title?: string;
  readonly children: Child;
}

export const Badge = ({ sign, id, title, children, ...attributes }: BadgeProps) => (
  <span class={attributes.class} id={id} title={title}>
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

/** How a call was answered: the number, and the kind of answer. */
export function Status(props: StatusProps) {
  const kind = kindOf(props);
  const [sign, words] = kinds[kind];
  return (
    <Badge sign={sign} class={`status ${kind}`} title={words}>
      {props.status ?? (kind === 'open' ? 'under way' : 'broken')}
    </Badge>
  );
}

/** How the call of a journal's entry was answered. */
export const EntryStatus = ({ entry: { answer } }: { readonly entry: Pick<Entry, 'answer'> }) => (
  <Status status={answer?.status ?? null} isOpen={!answer} isLost={answer?.decision.isLost ?? false} />
);

/** Longer paths are cut here, and stand whole in the request. */
const maxPath = 80;

/** A request by its method, path and answer, where another page tells of it. */
export const RequestLink = ({ entry }: { readonly entry: Entry }) => (
  <RequestInDrawer id={entry.id} class="request-link">
    <span class="target">
      {entry.method} {cut(entry.path, maxPath)}
    </span>{' '}
    <EntryStatus entry={entry} />
  </RequestInDrawer>
);

const packageKinds: Readonly<Record<FulfillmentStatus, readonly [kind: string, sign: string]>> = {
  label_created: ['waits', '…'],
  picked_up: ['goes', '▸'],
  in_transit: ['goes', '▸▸'],
  delayed: ['held', '▲'],
  delivered: ['there', '✓'],
  lost: ['over', '✕'],
  returned: ['over', '↩'],
};

/** A package's status: its own id, and its name in this sandbox. */
export function PackageBadge({ id, name }: { readonly id: string; readonly name: string }) {
  const [kind, sign] = isServiceStatus(id) ? packageKinds[id] : ['waits', '·'];
  return (
    <Badge sign={sign} class={`badge ${kind}`}>
      {name}
    </Badge>
  );
}

/** The rules that an answer was refused by, each with what it requires. */
export const Rules = ({ rules }: { readonly rules: readonly RuleId[] }) => (
  <>
    {rules.map((rule, index) => (
      <>
        {index > 0 && ' '}
        <code class="rule" title={explanations[rule]}>
          {rule}
        </code>
      </>
    ))}
  </>
);

/** A text of the contract, with what stands between backticks as code: every second part does. */
export const MarkedCode = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
);
