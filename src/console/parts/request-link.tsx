// A request by its method, path and answer, where another page tells of it: it opens beside that page.
import type { Child } from 'hono/jsx';
import { explanations, type RuleId } from '../../contract/rules.ts';
import type { Entry } from '../../control/journal/entry.ts';
import { contentAt, oneAt } from '../addresses.ts';
import { cut } from './page.tsx';
import { Status } from './status.tsx';

// A link to a request, which opens beside the page that it stands on.

interface RequestInDrawerProps {
  readonly sandbox: string;
  readonly id: string;
  readonly class?: string;
  readonly children: Child;
}

export const RequestInDrawer = ({ sandbox, id, children, ...given }: RequestInDrawerProps) => (
  <a
    href={oneAt(sandbox, 'requests', id)}
    hx-get={contentAt(sandbox, 'requests', id)}
    hx-target="#drawer-content"
    class={given.class}
  >
    {children}
  </a>
);

/** Longer paths are cut here, and stand whole in the request. */
const maxPath = 80;

export function RequestLink({ entry, sandbox }: { readonly entry: Entry; readonly sandbox: string }) {
  const { id, method, path, answer } = entry;
  return (
    <RequestInDrawer sandbox={sandbox} id={id} class="request-link">
      <span class="target">
        {method} {cut(path, maxPath)}
      </span>{' '}
      <Status status={answer?.status ?? null} isOpen={!answer} isLost={answer?.decision.isLost ?? false} />
    </RequestInDrawer>
  );
}

// The rules that an answer was refused by, each with what it requires.

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

// A text of the contract, with what stands between backticks as code.

/** Every second part stands between two of them. */
export const MarkedCode = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
);
