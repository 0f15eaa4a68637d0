// One assumption: its question, and its readings as buttons with their glosses.

import { type AssumptionId, assumptions } from '../../contract/assumptions.ts';
import { isDefaultReading } from '../../contract/readings.ts';
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import type { Touch } from '../../control/journal/present.ts';
import { actAt } from '../addresses.ts';
import { doneField } from '../form-body.ts';
import { counted } from '../parts/page.tsx';
import { MarkedCode, RequestLink } from '../parts/request-link.tsx';

interface QuestionProps {
  readonly id: AssumptionId;
  /** The one in force. */
  readonly reading: string;
  /** undefined where no call has asked for it. */
  readonly touch: Touch | undefined;
  readonly sandbox: HostedSandbox;
}

export function Question({ id, reading, touch, sandbox }: QuestionProps) {
  const { question } = assumptions[id];
  const isDefault = isDefaultReading(id, reading);
  return (
    <li id={`assumption-${id}`} class={isDefault ? undefined : 'changed'}>
      <div class="question">
        <code class="id">{id}</code>
        {!isDefault && (
          <>
            {' '}
            <span class="badge turned">changed</span>
          </>
        )}
        <p>
          <MarkedCode text={question} />
        </p>
        {!isDefault && <TurnedBy id={id} sandbox={sandbox} />}
        {touch && <Touched touch={touch} sandbox={sandbox.name} />}
      </div>
      <ReadingForm id={id} reading={reading} sandbox={sandbox.name} />
    </li>
  );
}

/** Each reading is a button of one form, so that the focus stays where it was pressed. */
const ReadingForm = ({
  id,
  reading,
  sandbox,
}: Omit<QuestionProps, 'touch' | 'sandbox'> & { readonly sandbox: string }) => (
  <form
    class="readings"
    hx-post={actAt(sandbox, 'assumptions.set')}
    hx-target="#notice"
    autocomplete="off"
    aria-label={`Readings of ${id}`}
  >
    <input type="hidden" name={doneField} value={`The reading of ${id} is chosen`} />
    {assumptions[id].readings.map(([name, gloss], index) => (
      <div class="reading">
        <button
          type="submit"
          class={name === reading ? 'small chosen' : 'small outline secondary'}
          id={`reading-${id}-${index}`}
          name={id}
          value={name}
          aria-pressed={name === reading ? 'true' : 'false'}
        >
          {name === reading && <span aria-hidden="true">✓ </span>}
          {name}
        </button>
        <span class="gloss">
          <MarkedCode text={gloss} />
          {index === 0 && <small class="by-default"> default</small>}
        </span>
      </div>
    ))}
  </form>
);

function TurnedBy({ id, sandbox }: Pick<QuestionProps, 'id' | 'sandbox'>) {
  const by = sandbox.state
    .value('scenarios')
    .filter((layer) => layer.assumptions[id] !== undefined)
    .at(-1);
  return by ? (
    <p class="muted">
      Turned by the scenario <code>{by.name}</code>.
    </p>
  ) : null;
}

const Touched = ({ touch: { calls, newest }, sandbox }: { readonly touch: Touch; readonly sandbox: string }) => (
  <p class="muted touch">
    {counted(calls, 'call')}, last <RequestLink entry={newest} sandbox={sandbox} />
  </p>
);
