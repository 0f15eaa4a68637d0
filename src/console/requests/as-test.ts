// A request as a case for vitest: it makes a sandbox of its own, sends the same, and expects the same answer.
import type { RequestShown } from '../../contract/admin/requests.ts';
import type { SwitchesShown } from '../../contract/admin/switches.ts';
import { type AssumptionId, assumptions } from '../../contract/assumptions.ts';
import { operations } from '../../contract/operations.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { bodyText, isRedacted } from './as-curl.ts';

type Shown = DeepReadonly<RequestShown>;

/** @param switches those that are on, for what the request met of them */
export function testOf(shown: Shown, switches: DeepReadonly<Partial<SwitchesShown>>): string {
  const { method, path, status, rules } = shown;
  const title = `${method} ${path} is ${rules.length > 0 ? `refused by ${rules.join(', ')}` : `answered ${status}`}`;
  const expected = [
    `  expect(response.status).toBe(${status});`,
    ...(rules.length > 0 ? [`  expect(response.headers.get('Sandbox-Rule')).toBe(${quoted(rules.join(', '))});`] : []),
  ];
  const broken = [`  await expect(${call(shown)}).rejects.toThrow();`];
  const lines = [
    "import { test } from 'sachet/vitest';",
    "import { expect } from 'vitest';",
    '',
    `test(${quoted(title)}, async ({ sandbox }) => {`,
    ...remarks(shown),
    ...(isByClient(shown) ? [`  const client = sandbox.client(${loginOf(shown.caller)});`] : []),
    ...bends(shown, switches),
    ...(status === null ? broken : [`  const response = await ${call(shown)};`, ...expected]),
    '});',
  ];
  return `${lines.join('\n')}\n`;
}

/** In the source of a program: as JSON has it, in single quotes where that is the same. */
const quoted = (text: string): string => (/^[^'"\\\n\r\u2028\u2029]*$/.test(text) ? `'${text}'` : JSON.stringify(text));

const productsPath = operations['products.list'].path;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-/i;

function remarks({ path, query, request }: Shown): string[] {
  const text = path + query + (bodyText(request.body) ?? '');
  return [
    ...(isRedacted(text) ? ['  // What is [redacted …] is a secret: put it in.'] : []),
    ...(uuid.test(path + query)
      ? ['  // A new sandbox knows the ids of the fixtures, not those that were made since.']
      : []),
  ];
}

/** What the answer depended on, as far as it is still known. */
function bends(shown: Shown, switches: DeepReadonly<Partial<SwitchesShown>>): string[] {
  const readings = Object.entries(shown.decision?.assumptions ?? {}).filter(
    ([id, reading]) => assumptions[id as AssumptionId].readings[0][0] !== reading,
  );
  const met = shown.decision?.faults ?? [];
  const on = met.filter((name) => settingsOf(switches, name));
  const gone = met.filter((name) => !on.includes(name));
  const patch = Object.fromEntries(on.map((name) => [name, settingsOf(switches, name)]));
  return [
    ...(readings.length > 0
      ? [`  await sandbox.assumptions.set(${JSON.stringify(Object.fromEntries(readings))});`]
      : []),
    ...(on.length > 0 && isByClient(shown)
      ? [`  await client.get('${productsPath}'); // logs in before anything is bent`]
      : []),
    ...(on.length > 0 ? [`  await sandbox.switches.set(${JSON.stringify(patch)});`] : []),
    ...(gone.length > 0 ? [`  // It was met by ${gone.join(', ')}: set that here.`] : []),
  ];
}

/** A switch's settings without what became of it. */
function settingsOf(switches: DeepReadonly<Partial<SwitchesShown>>, name: string): object | undefined {
  const shown = Object.hasOwn(switches, name) ? switches[name as keyof SwitchesShown] : null;
  if (!shown) return undefined;
  const { hits: _hits, remaining: _remaining, ends_at: _endsAt, scenario: _scenario, ...settings } = shown;
  return settings;
}

/** A refused token, or none, is sent as it is; else a client that is logged in calls. */
const isByClient = ({
  status,
  request,
}: Pick<Shown, 'status'> & { readonly request: Pick<Shown['request'], 'headers'> }) =>
  'authorization' in request.headers && status !== 401;

function call({ method, path, query, status, request: { headers, body } }: Shown): string {
  const target = quoted(path + query);
  const text = bodyText(body);
  if (isByClient({ status, request: { headers } })) {
    const sent = text === undefined ? '' : `, ${typeof body === 'string' ? JSON.stringify(text) : text}`;
    return `client.call(${quoted(method)}, ${target}${sent})`;
  }
  const sentHeaders = [
    ...('authorization' in headers ? ["authorization: 'Bearer (the token)'"] : []),
    ...(headers['content-type'] ? [`'content-type': ${quoted(headers['content-type'])}`] : []),
  ];
  const init = [
    `method: ${quoted(method)}`,
    ...(sentHeaders.length > 0 ? [`headers: { ${sentHeaders.join(', ')} }`] : []),
    ...(text === undefined ? [] : [`body: ${quoted(text)}`]),
  ];
  return `sandbox.fetch(${target}, { ${init.join(', ')} })`;
}

/** The first login is the client's own choice. */
const loginOf = (caller: string | null): string =>
  caller === null ? '' : `sandbox.logins.find(({ username }) => username === ${quoted(caller)})`;
