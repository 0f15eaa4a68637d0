// Fidelity: for each assumption the default, the active choice, and what recordings of the service show; and the answers
// that contradict every choice or a rule. A recording is chosen as a file, or dropped on the page.
import type { Child } from 'hono/jsx';
import { type AssumptionId, assumptionIds, assumptionRegister } from '../../contract/assumptions.ts';
import { ControlRefusal } from '../../contract/control/control-operation.ts';
import { type ControlReplyOf, controlOperations } from '../../contract/control/operations.ts';
import { quoted } from '../../contract/file-errors.ts';
import { type SachetConfig, settledChoice } from '../../contract/observations.ts';
import { parseJson } from '../../http/body.ts';
import { bodyTooLarge, jsonBounds } from '../../http/control/app.ts';
import { requireMemoryFor } from '../../http/memory.ts';
import type { ServiceResponse } from '../../http/response.ts';
import { jsonValueOf } from '../../journal/redaction.ts';
import type { HostedSandbox } from '../../sandbox/hosted-sandbox.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { formFile } from '../form-body.ts';
import { recordingAt } from '../page-addresses.ts';
import { Action } from '../parts/action.tsx';
import { Body } from '../parts/body.tsx';
import { Empty } from '../parts/card.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { labelOf, Named } from '../parts/labels.tsx';
import {
  counted,
  Fact,
  FilterForm,
  FilterSearch,
  fragment,
  Head,
  includesText,
  PageLink,
  pageWith,
  searchedText,
  Table,
  useSandbox,
} from '../parts/layout.tsx';
import { MarkedCode } from '../parts/status.tsx';
import { Instant } from '../parts/time.tsx';
import { SetByScenario } from './assumptions.tsx';

type Report = ControlReplyOf<'observations.get'>['body'];
type Observation = Report['observations'][number];

/** @param chosen the active choice */
function rowOf(id: AssumptionId, chosen: string, report: Report, config: SachetConfig | undefined) {
  const seen = observationOf(id, report, config);
  return {
    ...{ id, chosen, seen },
    /** The choice that the service makes; undefined if it is open. */
    settled: settledChoice(seen),
    /** Whether the service makes another choice. */
    differs: !seen.allowed.includes(chosen),
  };
}
type Row = ReturnType<typeof rowOf>;

/** The report's observation; that of the config at the start, if the report allows its choice and others. */
function observationOf(id: AssumptionId, { observations }: Report, config: SachetConfig = {}): Observation {
  const { question, choices } = assumptionRegister[id];
  const open = { assumption: id, question, allowed: choices.map(([name]) => name), evidence: null, next: null };
  const found = observations.find(({ assumption }) => assumption === id) ?? open;
  const [choice, evidence] = [config.assumptions?.[id], config.verified?.[id]];
  if (choice === undefined || !evidence || settledChoice(found) || !found.allowed.includes(choice)) return found;
  return { ...found, allowed: [choice], evidence, next: null };
}

/** Differences come first, then the other observed assumptions. */
const rankOf = ({ differs, seen }: Row): number => (differs ? 0 : seen.evidence ? 1 : 2);

/** Which rows to show: the values of `?show=`. */
const filters = {
  all: ['All', () => true],
  different: ['Different', ({ differs }) => differs],
  settled: ['Settled', ({ settled }) => settled !== undefined],
  open: ['Open', ({ settled }) => settled === undefined],
} as const satisfies Record<string, readonly [title: string, matches: (row: Row) => boolean]>;
const filterIds = Object.keys(filters) as (keyof typeof filters)[];

export async function fidelityPage({ control, deps, query, sandbox }: ConsoleRequest) {
  const report = await control('observations.get');
  const choices = await control('assumptions.get');
  const rows = assumptionIds.map((id) => rowOf(id, choices[id], report, deps.config));
  const filter = filterIds.find((known) => known === query.get('show')) ?? 'all';
  const text = searchedText(query);
  const shown = rows
    .filter((row) => filters[filter][1](row) && hasText(row, text))
    .sort((one, other) => rankOf(one) - rankOf(other));
  const isObserved = report.calls > 0 || rows.some(({ seen }) => seen.evidence !== null);
  return (
    <section>
      <Head
        title="Fidelity"
        description="How the real service decides the open questions of the contract, from recordings of its answers."
      >
        {report.calls > 0 && (
          <Action operation="observations.clear" label="Forget the recording" done="Recording forgotten" quiet />
        )}
        <UseObserved rows={rows} />
      </Head>
      {!isObserved && <NoRecording />}
      <Upload />
      {report.calls > 0 && <p class="muted">{summaryOf(report)}</p>}
      <nav class="tabs" aria-label="Which assumptions">
        {filterIds.map((name) => (
          <PageLink
            to={pageWith('fidelity', { show: name === 'all' ? '' : name, q: text })}
            aria-current={name === filter ? 'true' : undefined}
          >
            {filters[name][0]} <small>{rows.filter(filters[name][1]).length}</small>
          </PageLink>
        ))}
      </nav>
      <FilterForm>
        {filter !== 'all' && <input type="hidden" name="show" value={filter} />}
        <FilterSearch label="Search id, question, choices and evidence" text={text} />
      </FilterForm>
      {shown.length === 0 ? (
        <Empty title={text === '' ? 'No assumption is in this list.' : `No assumption here matches “${text}”.`}>
          <PageLink to="fidelity">Show all</PageLink>
        </Empty>
      ) : (
        <Table caption="Assumptions" titles={['Assumption', 'Default', 'Chosen', 'Observed', 'Evidence']} isFocusable>
          {shown.map((row) => (
            <AssumptionRow row={row} sandbox={sandbox} />
          ))}
        </Table>
      )}
      <OtherValues facts={{ ...deps.config?.facts, ...report.facts }} />
      {report.findings.length > 0 && <Findings findings={report.findings} />}
    </section>
  );
}

function hasText({ id, seen: { evidence } }: Row, text: string): boolean {
  const { question, choices } = assumptionRegister[id];
  return includesText([id, labelOf(id), question, ...choices.flat(), evidence?.call, evidence?.source], text);
}

const NoRecording = () => (
  <Empty title="No recording of the service was read yet.">
    A HAR file is a recording of HTTP calls with their answers. To save one, open the developer tools of your browser,
    choose the network tab, use the service, and export all requests as HAR; in Chrome, allow sensitive data in the
    export, so that it has the tokens. For Postman and other programs, record with a proxy that saves HAR, such as
    mitmproxy. The sandbox redacts secrets, and sends nothing to other hosts. On the command line, use{' '}
    <code>sachet learn</code>: it also writes the choices to a file.
  </Empty>
);

/** browser/page.js puts a file into the field that is dropped on the page, and sends the form. */
const Upload = () => (
  <div class="row">
    <form
      id="recording"
      hx-post={recordingAt(useSandbox())}
      hx-encoding="multipart/form-data"
      hx-target="#notice"
      hx-sync="drop"
    >
      <label>
        Recording of the service <input type="file" name="file" accept=".har,.json,application/json" required />
      </label>
      <button type="submit">Read the recording</button>
    </form>
    <span class="muted">You can also drop a HAR file anywhere on this page.</span>
  </div>
);

/** Reads the file of the form, as the control API reads a body. @throws ControlRefusal 400, 413, 422 */
export async function readRecording({ context, control, deps, sandbox }: ConsoleRequest): Promise<ServiceResponse> {
  const operation = controlOperations['observations.learn'];
  requireMemoryFor(operation, deps);
  const file = await formFile(context, operation.bodyBytes);
  if (!file) throw bodyTooLarge(operation);
  const json = parseJson(await file.text(), jsonBounds);
  if (!json) throw new ControlRefusal(400, `The file ${quoted(file.name)} is not JSON. Choose a HAR file`);
  const { calls } = await control(operation.id, { query: { source: file.name.slice(0, 200) }, body: json.value });
  const done = <article class="done">{counted(calls, 'call')} of the service read.</article>;
  return fragment(sandbox.name, done, { headers: { 'hx-trigger': 'changed' } });
}

/** The number of calls, and the reasons why some could not be judged. */
function summaryOf({ calls, skipped }: Report): string {
  const reasons = Object.entries(skipped).map(([reason, count]) => `${count} (${reason})`);
  const notJudged = reasons.length > 0 ? `, not judged: ${reasons.join(', ')}` : '';
  return `${counted(calls, 'call')} of the service read${notJudged}.`;
}

/** A button with a dialog that lists the changes. Open assumptions keep their choices. */
function UseObserved({ rows }: { readonly rows: readonly Row[] }) {
  const changes = rows.flatMap(({ id, chosen, settled = chosen }) =>
    settled === chosen ? [] : [{ id, chosen, settled }],
  );
  if (changes.length === 0) return null;
  const count = counted(changes.length, 'assumption');
  return (
    <DialogButton id="use-observed" label="Use the observed choices" title="Use the observed choices">
      <Table caption="Changes" titles={['Assumption', 'Chosen', 'Observed']} isFocusable>
        {changes.map(({ id, chosen, settled }) => (
          <tr>
            <th scope="row">
              <Named id={id} />
            </th>
            <td>{chosen}</td>
            <td>{settled}</td>
          </tr>
        ))}
      </Table>
      <Action
        operation="assumptions.set"
        label={`Change ${count}`}
        done={`${count} changed`}
        fields={Object.fromEntries(changes.map(({ id, settled }) => [id, settled]))}
      />
    </DialogButton>
  );
}

function AssumptionRow({ row, sandbox }: { readonly row: Row; readonly sandbox: HostedSandbox }) {
  const { id, chosen, differs, seen } = row;
  const { question, choices } = assumptionRegister[id];
  return (
    <tr id={`fidelity-${id}`}>
      <th scope="row">
        <Named id={id} />
        {differs && [' ', <span class="badge warning">differs</span>]}
        <br />
        <MarkedCode text={question} />
      </th>
      <Cell name="default">{choices[0][0]}</Cell>
      <Cell name="chosen">
        {chosen}
        <SetByScenario id={id} sandbox={sandbox} />
      </Cell>
      <Cell name="observed">
        <Observed {...row} />
      </Cell>
      <td class="wrap">
        <Evidence {...seen} />
      </td>
    </tr>
  );
}

/** A phone shows no titles of columns: it has the name in the cell. */
const Cell = ({ name, children }: { readonly name: string; readonly children: Child }) => (
  <td>
    <span class="on-phone muted">{name} </span>
    {children}
  </td>
);

function Observed({ settled, seen: { allowed, evidence } }: Row) {
  if (settled !== undefined) return <b>{settled}</b>;
  return evidence === null ? <>—</> : <>open: {allowed.join(' or ')}</>;
}

/** The call, when and from where; of an open assumption, what would decide it. */
const Evidence = ({ evidence, next }: Row['seen']) => (
  <>
    {evidence && (
      <>
        <code>{evidence.call}</code>
        <br />
        <small>
          <Instant at={evidence.at} /> · {evidence.source}
        </small>
      </>
    )}
    {evidence && next && <br />}
    {next && (
      <span class="muted">
        To decide it: <MarkedCode text={next} />
      </span>
    )}
  </>
);

/** Facts that no assumption asks for. */
const OtherValues = ({ facts: { administration_times: times, page_size: size } }: Pick<Report, 'facts'>) =>
  (times || size) && (
    <>
      <h2>Other values of the service</h2>
      <dl class="facts">
        {size && <Fact name="Page size">{size} results of a page that had a next page</Fact>}
        {times && <Fact name="time_of_administration">{times.join(', ')}</Fact>}
      </dl>
    </>
  );

/** Answers that the sandbox would not give, whatever the choices. */
const Findings = ({ findings }: Pick<Report, 'findings'>) => (
  <>
    <h2>
      Findings <small>{findings.length}</small>
    </h2>
    <p class="muted">Answers that contradict a rule of the contract, or every choice of an assumption.</p>
    <ul class="rows">
      {findings.map(({ problems, rules, count, evidence, request, answer }, index) => (
        <li class="failed" id={`finding-${index}`}>
          <code>{evidence.call}</code>{' '}
          <small>
            {counted(count, 'call')}, first <Instant at={evidence.at} /> · {evidence.source}
          </small>
          {problems.map((problem) => (
            <p>
              <MarkedCode text={problem} />
            </p>
          ))}
          <p class="row">
            {rules.map((rule) => (
              <code class="rule">{rule}</code>
            ))}
          </p>
          <details id={`finding-${index}-call`}>
            <summary>Request and answer</summary>
            <div class="sides">
              <Message title="Request" text={request} />
              <Message title="Answer" text={answer} />
            </div>
          </details>
        </li>
      ))}
    </ul>
  </>
);

/** @param props.text request line or status, then the body */
function Message({ title, text }: { readonly title: string; readonly text: string }) {
  const [, line = text, body = ''] = /^(\S+ \/\S*|\d+) (.*)$/s.exec(text) ?? [];
  return (
    <section>
      <h3>{title}</h3>
      <code>{line}</code>
      <Body body={jsonValueOf(body) ?? body} />
    </section>
  );
}
