// The scenarios as cards: what each is for, what a right client does, and the button that applies it or takes it back.
import { boundsOf } from '../../contract/admin/count.ts';
import { pageAt } from '../addresses.ts';
import { Action } from '../parts/action.tsx';
import { Empty } from '../parts/page.tsx';
import { Badge } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';
import type { Came, Scenario } from './lever-state.tsx';

interface ScenariosProps {
  readonly scenarios: readonly Scenario[];
  /** Of the expected calls of applied scenarios those that came. */
  readonly came: ReadonlyMap<Scenario['expect'][number], Came>;
  readonly sandbox: string;
}

export const Scenarios = ({ scenarios, came, sandbox }: ScenariosProps) => (
  <section aria-labelledby="scenarios">
    <h2 id="scenarios">Scenarios</h2>
    {scenarios.length === 0 && (
      <Empty title="This server has no scenarios.">
        <p>It was started with a folder of scenarios in which there are none.</p>
      </Empty>
    )}
    <div class="cards">
      {scenarios.map((scenario) => (
        <ScenarioCard scenario={scenario} came={came} sandbox={sandbox} />
      ))}
    </div>
  </section>
);

const states = { off: ['○', 'not applied', 'muted'], on: ['●', 'applied', 'badge bends'] } as const;

type CardProps = Pick<ScenariosProps, 'came' | 'sandbox'> & { readonly scenario: Scenario };

const ScenarioCard = ({ scenario, came, sandbox }: CardProps) => {
  const { name, intent, right_client, applied_at } = scenario;
  const [sign, words, kind] = states[applied_at === null ? 'off' : 'on'];
  return (
    <article class={applied_at === null ? 'card' : 'card on'} id={`scenario-${name}`}>
      <div class="card-head">
        <h3 class="id">{name}</h3>
        <Badge sign={sign} class={kind}>
          {words}
        </Badge>
      </div>
      <p>{intent}</p>
      <p class="right">
        <b>A right client:</b> {right_client}
      </p>
      <div class="actions">
        <Turn scenario={scenario} sandbox={sandbox} />
        {applied_at !== null && (
          <small>
            since <Instant at={applied_at} />
          </small>
        )}
      </div>
      <Expected scenario={scenario} came={came} sandbox={sandbox} />
    </article>
  );
};

const Turn = ({
  scenario: { name, applied_at },
  sandbox,
}: {
  readonly scenario: Scenario;
  readonly sandbox: string;
}) =>
  applied_at === null ? (
    <Action
      sandbox={sandbox}
      of="scenarios.apply"
      names={{ name }}
      done={`Scenario ${name} applied`}
      label="Apply"
      about={name}
    />
  ) : (
    <Action
      sandbox={sandbox}
      of="scenarios.take_back"
      names={{ name }}
      done={`Scenario ${name} taken back`}
      label="Take back"
      about={name}
      quiet
    />
  );

const Expected = ({ scenario: { expect, conduct }, came, sandbox }: CardProps) => (
  <small class="expected">
    {expect.length > 0 && (
      <span>
        Expected calls:{' '}
        {expect.map((expected, index) => (
          <>
            {index > 0 && ', '}
            {timesOf(expected.count)} <span class="id">{matchText(expected.match)}</span>
            {cameWords(came.get(expected))}
          </>
        ))}
      </span>
    )}
    {conduct.length > 0 && (
      <span>
        <a href={pageAt(sandbox, 'conduct')}>Conduct</a>: <span class="id">{conduct.join(', ')}</span>
      </span>
    )}
  </small>
);

/** A sign for what has come as it is expected. */
const cameWords = (came: Came): string => (came ? ` (${came.count} came${came.satisfied ? ' ✓' : ''})` : '');

function timesOf(count: Scenario['expect'][number]['count']): string {
  const { least, most } = boundsOf(count);
  if (least === most) return least === 0 ? 'no' : `${least} ×`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${least} ×`;
  return least === 0 ? `at most ${most} ×` : `${least} to ${most} ×`;
}

/** `orders.create 429`, and whatever else is matched by its name. */
function matchText({ operation, method, path, status, rule, body }: Scenario['expect'][number]['match']): string {
  const said = [operation, method, path, status, rule, body === undefined ? undefined : `with ${JSON.stringify(body)}`];
  const words = said.filter((part) => part !== undefined).join(' ');
  return words === '' ? 'any call' : words;
}
