// How a call was answered, at a glance: the number, and the kind of answer.
import { Badge } from './badge.tsx';

interface Props {
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

function kindOf({ status, isOpen = false, isLost = false }: Props): keyof typeof kinds {
  if (isOpen) return 'open';
  if (status === null || isLost) return 'broken';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'good';
}

export function Status(props: Props) {
  const kind = kindOf(props);
  const [sign, words] = kinds[kind];
  return (
    <Badge sign={sign} class={`status ${kind}`} title={words}>
      {props.status ?? (kind === 'open' ? 'under way' : 'broken')}
    </Badge>
  );
}
