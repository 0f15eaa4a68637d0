// The first calls as programs to copy, one language each.
import { sandboxBase } from '../../contract/addresses.ts';
import { type Ordering, orderFor } from '../../control/sample-order.ts';
import { Copy } from '../parts/copy.tsx';
import type { Visit } from '../visit.ts';
import { inCurl, inPython, inTypeScript } from './first-calls.ts';

interface Props {
  readonly visit: Visit;
  /** undefined where nobody may log in. */
  readonly ordering: Ordering | undefined;
}

export function FirstCalls({ visit: { sandbox, call }, ordering }: Props) {
  if (!ordering?.product) return null;
  const { username, password } = ordering.user;
  const order = orderFor(ordering.product.id, sandbox.root.values.administration_times.values);
  const calls = { baseUrl: call.origin + sandboxBase(sandbox.name), login: { username, password }, order };
  return (
    <>
      <h2>First calls</h2>
      <p class="muted">Log in, create an order, list fulfillments. Each is whole: paste it and it runs.</p>
      <Program id="calls-curl" title="curl" how="Paste it into a shell" text={inCurl(calls)} open />
      <Program
        id="calls-typescript"
        title="TypeScript"
        how="first-calls.mjs, or .ts: its types are all inferred"
        text={inTypeScript(calls)}
      />
      <Program
        id="calls-python"
        title="Python"
        how="first_calls.py, with the standard library alone"
        text={inPython(calls)}
      />
    </>
  );
}

interface ProgramProps {
  readonly id: string;
  readonly title: string;
  readonly how: string;
  readonly text: string;
  readonly open?: boolean;
}

/** Of those of one name a browser opens one at a time. */
const Program = ({ id, title, how, text, open = false }: ProgramProps) => (
  <details name="first-calls" class="program" id={`${id}-details`} open={open}>
    <summary>{title}</summary>
    <Copy id={id} title={how} text={text} />
  </details>
);
