// Sends a recorded request again, as it was or edited, and shows the new response next to the former.
import { ControlRefusal, cannot } from '../../contract/control/control-operation.ts';
import type { ServiceResponse } from '../../http/response.ts';
import { sentenceOf } from '../../journal/decision.ts';
import type { Entry } from '../../journal/entry.ts';
import { jsonValueOf } from '../../journal/redaction.ts';
import { claimsFor } from '../../sandbox/sample-calls.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { sendAgainAt } from '../page-addresses.ts';
import { Body, maxCharacters } from '../parts/body.tsx';
import { fragment, LabeledSelect, useSandbox } from '../parts/layout.tsx';
import { RequestLink, Rules, Status } from '../parts/status.tsx';
import { type CallToSend, type SentCall, sendCall } from '../send-call.ts';

/** The button and the form. A refresh of the page keeps what the reader has typed, and the result. */
export function SendAgain({ entry }: { readonly entry: Entry }) {
  const choices = tokenChoices(entry);
  const problem = whyNotAsItWas(entry);
  const [token] = Object.values(choices);
  const form = { 'hx-post': sendAgainAt(useSandbox(), entry.id), 'hx-target': `#again-${entry.id}`, 'hx-sync': 'drop' };
  return (
    <section>
      <h2>Send it again</h2>
      {problem ? (
        <p class="muted">{problem}</p>
      ) : (
        <form id={`as-it-was-${entry.id}`} class="row" {...form}>
          <button type="submit">Send again</button>
          <span class="muted">As it was, with {token}. Conduct ignores it.</span>
        </form>
      )}
      <details id={`edit-${entry.id}`}>
        <summary>Edit and send</summary>
        <EditForm entry={entry} choices={choices} form={form} />
      </details>
      <div id={`again-${entry.id}`} role="status" hx-morph-skip-children="true" />
    </section>
  );
}

interface EditFormProps {
  readonly entry: Entry;
  readonly choices: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
}

function EditForm({ entry, choices, form }: EditFormProps) {
  const { id, method, path, query, body } = entry;
  const json = jsonValueOf(body);
  const text = json === undefined ? (body ?? '') : JSON.stringify(json, null, 2);
  if (text.length > maxCharacters)
    return <p class="muted">The body is too long to edit here: {text.length} characters.</p>;
  const headers = entry.headers.filter(([name, value]) => isResent(name) && !hasRedaction(value));
  return (
    <form id={`edited-${id}`} autocomplete="off" hx-morph-skip="true" {...form}>
      <label>
        Method
        <input name="method" value={method} required />
      </label>
      <label>
        Path and query
        <input name="target" class="wide id" value={path + query} required />
      </label>
      <label>
        Headers, one per line
        <textarea name="headers" class="wide id" rows={headers.length + 1} spellcheck={false}>
          {headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        </textarea>
      </label>
      <label>
        Body
        <textarea name="body" class="wide id" rows={Math.min(text.split('\n').length + 1, 20)} spellcheck={false}>
          {text}
        </textarea>
      </label>
      {hasRedaction(path + query + text) && <p class="muted">Replace each [redacted …] with the secret.</p>}
      <LabeledSelect id={`token-${id}`} label="Token" name="token" options={choices} />
      <button type="submit">Send the edited request</button>
    </form>
  );
}

/** Tokens to send it with; the first is the default. */
function tokenChoices({ answer, received }: Entry): Record<string, string> {
  const sent = headersOf(received).get('authorization') ?? '';
  return {
    ...(answer?.caller && { new: `a new access token of ${answer.caller}` }),
    ...(sent && !hasRedaction(sent) && { same: 'the Authorization header that was sent' }),
    none: 'no token',
  };
}

/** In texts that readers of the journal see, and in the entries of other servers. */
const hasRedaction = (text: string): boolean => /\[redacted [0-9a-f]{8}\]/.test(text);

function whyNotAsItWas({ received, answer }: Entry): string | undefined {
  const { body, method, path, query } = received;
  const headers = headersOf(received);
  const hadBody = Number(headers.get('content-length')) > 0 || headers.has('transfer-encoding');
  const isLost = hadBody && method !== 'GET' && method !== 'HEAD';
  if (
    body?.startsWith('[not kept: ') ||
    (body === null && (isLost || answer?.decision.rules.includes('body_too_large')))
  )
    return 'It cannot be sent as it was: its body was too large or not readable, and was not kept.';
  const resent = [...headers].flatMap(([name, value]) => (isResent(name) ? [value] : []));
  return [path, query, body ?? '', ...resent].some(hasRedaction)
    ? 'It cannot be sent as it was: another server received it, and the secrets in it are redacted here.'
    : undefined;
}

/** Headers of the connection, and those that the console sets itself. */
const ownHeaders =
  /^(?:host|connection|keep-alive|expect|content-length|content-encoding|transfer-encoding|te|upgrade)$/;
const isResent = (name: string): boolean => !ownHeaders.test(name) && name !== 'user-agent' && name !== 'authorization';

function headersOf({ headers: raw }: Entry['received']): Headers {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) headers.append(String(raw[at]), String(raw[at + 1]));
  return headers;
}

/** Sends the request as it was, or as the form says. @throws ControlRefusal 404, 422 */
export async function sendAgain(request: ConsoleRequest, form: URLSearchParams): Promise<ServiceResponse> {
  const { sandbox, context } = request;
  const former = sandbox.journal.get(context.req.param('id') ?? '');
  if (!former) throw new ControlRefusal(404, 'The journal no longer has this request: it was cleared or dropped');
  const call = form.has('target') ? editedCall(form) : recordedCall(former);
  const authorization = await authorizationFor(request, former, form.get('token') ?? undefined);
  if (authorization) call.headers.set('authorization', authorization);
  const sent = await sendCall(request, call);
  return fragment(
    sandbox.name,
    <div class="sides">
      <section>
        <h3>Before</h3>
        <Outcome entry={former} />
      </section>
      <section>
        <h3>Now</h3>
        {sent.entry ? <Outcome entry={sent.entry} /> : <Unrecorded {...sent} />}
      </section>
    </div>,
  );
}

function recordedCall(entry: Entry): CallToSend {
  const problem = whyNotAsItWas(entry);
  if (problem) throw cannot('body', problem);
  const { method, path, query, body } = entry.received;
  const headers = headersOf(entry.received);
  for (const name of [...headers.keys()]) if (!isResent(name)) headers.delete(name);
  return { method, target: path + query, headers, body };
}

function editedCall(form: URLSearchParams): CallToSend {
  const [method = '', target = '', lines = '', body = ''] = ['method', 'target', 'headers', 'body'].map(
    (name) => form.get(name)?.replaceAll('\r\n', '\n') ?? '',
  );
  if (hasRedaction(target + lines + body)) throw cannot('body', 'Replace each [redacted …] with the secret');
  const headers = new Headers();
  for (const line of lines.split('\n').filter((text) => text.trim() !== '')) {
    const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(line) ?? [];
    try {
      headers.append(name.trim(), value);
    } catch {
      const example = 'Write one header per line, such as Content-Type: application/json';
      throw cannot('headers', `"${line.slice(0, 80)}" is not a header. ${example}`);
    }
  }
  return { method: method.trim(), target: target.trim(), headers, body: body === '' ? null : body };
}

/** The Authorization header of a choice; undefined without a token. @throws ControlRefusal 422 */
async function authorizationFor({ deps, sandbox, read }: ConsoleRequest, former: Entry, choice?: string) {
  const choices = tokenChoices(former);
  const chosen = choice ?? Object.keys(choices)[0] ?? '';
  if (!Object.hasOwn(choices, chosen))
    throw cannot('token', `Unknown token "${chosen.slice(0, 40)}". Choose ${Object.keys(choices).join(' or ')}`);
  if (chosen === 'same') return headersOf(former.received).get('authorization');
  if (chosen !== 'new') return undefined;
  const caller = former.answer?.caller ?? '';
  const claims = await read((state) => {
    const user = state.table('users').firstOf('username', caller);
    return user && claimsFor(user, state, deps.hashes, deps.sandboxes.now());
  });
  if (!claims) throw cannot('token', `The sandbox no longer has the user "${caller}". Choose another token`);
  return `Bearer ${await deps.tokens.sign(sandbox.identity, claims)}`;
}

function Outcome({ entry }: { readonly entry: Entry }) {
  const { answer, operation } = entry;
  return (
    <>
      <p>
        <RequestLink entry={entry} /> <Rules rules={answer?.decision.rules ?? []} />
      </p>
      {answer && <p>{sentenceOf(answer.decision, answer.status, operation)}</p>}
      <Body body={jsonValueOf(answer?.body ?? null) ?? answer?.body ?? null} />
    </>
  );
}

const Unrecorded = ({ status, text }: SentCall) => (
  <>
    <p>
      <Status status={status} /> Not in the journal: a reset cleared it, or the path is not one of the API.
    </p>
    <Body body={jsonValueOf(text) ?? text} />
  </>
);
