// A request as a curl command, to be sent again: secrets are not in the journal, so it asks for them.

import { shellWord } from '../../contract/addresses.ts';
import type { AssumptionId } from '../../contract/assumptions.ts';
import type { RequestJson } from '../../contract/control/requests.ts';
import type { SwitchesJson } from '../../contract/control/switches.ts';
import { operations } from '../../contract/operations.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { isDefaultChoice } from '../../contract/resolved-assumptions.ts';

/** What is sent; the body as it came, as text. */
export interface Sent extends DeepReadonly<Pick<RequestJson, 'method' | 'path' | 'query'>> {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | null;
}

/** @param baseUrl of the sandbox */
export function curlOf({ method, path, query, headers, text }: Sent, baseUrl: string): string {
  const hasToken = 'authorization' in headers;
  const words = [
    `curl ${optionsOf(method, path + query)} ${shellWord(baseUrl + path + query)}`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...typeOf(headers['content-type'], text),
    // Not --data: what begins with @ would name a file.
    ...(text ? [`--data-raw ${shellWord(text)}`] : []),
  ];
  const asked = [
    ...(hasToken ? [`# TOKEN is an access_token, as POST ${operations['authentication.token'].path} gives it.`] : []),
    ...(isRedacted(path + query + text) ? ['# What is [redacted …] is a secret: put it in.'] : []),
  ];
  return [...asked, words.join(' \\\n  ')].join('\n');
}

/** The address is sent as it stands: without patterns, and with its dots. */
function optionsOf(method: string, target: string): string {
  const options = [
    method === 'HEAD' ? '--head' : '--include',
    ...(/[[\]{}]/.test(target) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(target) ? ['--path-as-is'] : []),
    ...(method === 'GET' || method === 'HEAD' ? [] : [`-X ${method}`]),
  ];
  return options.join(' ');
}

/** curl would name a type of its own for a body that came without one. */
function typeOf(type: string | undefined, text: string | null): string[] {
  if (type) return [`-H ${shellWord(`Content-Type: ${type}`)}`];
  return text ? ["-H 'Content-Type:'"] : [];
}

const isRedacted = (text: string): boolean => text.includes('[redacted ');

// A request as a case for vitest: it makes a sandbox of its own, sends the same, and expects the same answer.

type Shown = DeepReadonly<Omit<RequestJson, 'request' | 'response'>> & Sent;
type Switches = DeepReadonly<Partial<SwitchesJson>>;

/** @param switches those that are on, for what the request met of them */
export function testOf(shown: Shown, switches: Switches): string {
  const { method, path, status, rules } = shown;
  const title = `${method} ${path} is ${rules.length > 0 ? `refused by ${rules.join(', ')}` : `answered ${status}`}`;
  const expected = [
    `  const response = await ${call(shown)};`,
    `  expect(response.status).toBe(${status});`,
    ...(rules.length > 0 ? [`  expect(response.headers.get('Sandbox-Rule')).toBe(${quoted(rules.join(', '))});`] : []),
  ];
  const lines = [
    "import { test } from 'sachet/vitest';",
    "import { expect } from 'vitest';",
    '',
    `test(${quoted(title)}, async ({ sandbox }) => {`,
    ...remarks(shown),
    ...(isByClient(shown) ? [`  const client = sandbox.client(${loginOf(shown.caller)});`] : []),
    ...bends(shown, switches),
    ...(status === null ? [`  await expect(${call(shown)}).rejects.toThrow();`] : expected),
    '});',
  ];
  return `${lines.join('\n')}\n`;
}

/** In the source of a program: in single quotes, or as JSON has it. */
function quoted(text: string): string {
  if (/^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/.test(text)) return `'${text}'`;
  return unturned(JSON.stringify(text));
}

/** JSON without what turns the direction of the text around it. */
const unturned = (json: string): string =>
  json.replaceAll(
    /[\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-/i;

function remarks({ path, query, text }: Shown): string[] {
  const isStrange = uuid.test(path + query);
  return [
    ...(isRedacted(path + query + text) ? ['  // What is [redacted …] is a secret: put it in.'] : []),
    ...(isStrange ? ['  // A new sandbox knows the ids of the fixtures, not those that were made since.'] : []),
  ];
}

const productsPath = operations['products.list'].path;

/** What the answer depended on, as far as it is still known. A client logs in before anything is bent. */
function bends(shown: Shown, switches: Switches): string[] {
  const choices = Object.entries(shown.decision?.assumptions ?? {}).filter(
    ([id, choice]) => !isDefaultChoice(id as AssumptionId, choice),
  );
  const met = shown.decision?.faults ?? [];
  const on = met.filter((name) => settingsOf(switches, name));
  const gone = met.filter((name) => !on.includes(name));
  const patch = Object.fromEntries(on.map((name) => [name, settingsOf(switches, name)]));
  const assumed = JSON.stringify(Object.fromEntries(choices));
  return [
    ...(choices.length > 0 ? [`  await sandbox.assumptions.set(${assumed});`] : []),
    ...(on.length > 0 && isByClient(shown) ? [`  await client.get('${productsPath}'); // logs in`] : []),
    ...(on.length > 0 ? [`  await sandbox.switches.set(${JSON.stringify(patch)});`] : []),
    ...(gone.length > 0 ? [`  // It was met by ${gone.join(', ')}: set that here.`] : []),
  ];
}

/** A switch's settings without what became of it. */
function settingsOf(switches: Switches, name: string): object | undefined {
  const shown = Object.hasOwn(switches, name) ? switches[name as keyof SwitchesJson] : null;
  if (!shown) return undefined;
  const { hits: _hits, remaining: _remaining, ends_at: _endsAt, scenario: _scenario, ...settings } = shown;
  return settings;
}

/** A refused token, or none, and what is no JSON are sent as they are; else a client that is logged in calls. */
const isByClient = ({ status, headers, text }: Shown): boolean =>
  'authorization' in headers && status !== 401 && (!text || expressionOf(text) !== undefined);

/** JSON text as an expression; undefined for what is none. In a literal `__proto__` would be no field. */
function expressionOf(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return text.includes('__proto__') ? `JSON.parse(${quoted(text)})` : unturned(text);
}

function call(shown: Shown): string {
  const { method, path, query, headers, text } = shown;
  const target = quoted(path + query);
  if (isByClient(shown)) return `client.call(${quoted(method)}, ${target}${text ? `, ${expressionOf(text)}` : ''})`;
  const sentHeaders = [
    ...('authorization' in headers ? ["authorization: 'Bearer (the token)'"] : []),
    ...(headers['content-type'] ? [`'content-type': ${quoted(headers['content-type'])}`] : []),
  ];
  const init = [
    `method: ${quoted(method)}`,
    ...(sentHeaders.length > 0 ? [`headers: { ${sentHeaders.join(', ')} }`] : []),
    ...(text ? [`body: ${quoted(text)}`] : []),
  ];
  return `sandbox.fetch(${target}, { ${init.join(', ')} })`;
}

/** The first login is the client's own choice. */
const loginOf = (caller: string | null): string =>
  caller === null ? '' : `sandbox.logins.find(({ username }) => username === ${quoted(caller)})`;
