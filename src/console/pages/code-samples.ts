// Code to copy: the first calls of a client in three languages, and a recorded request as a curl command and as a
// Vitest test.
import { sandboxBase, shellWord } from '../../contract/addresses.ts';
import type { AssumptionId } from '../../contract/assumptions.ts';
import type { RequestJson } from '../../contract/control/requests.ts';
import type { SwitchesJson } from '../../contract/control/switches.ts';
import { operations } from '../../contract/operations.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { isDefaultChoice } from '../../contract/resolved-assumptions.ts';
import { type FirstCalls, firstCallsOf, readyUser, tokenInSed } from '../../sandbox/sample-calls.ts';
import type { State } from '../../state/state.ts';
import type { ConsoleRequest } from '../console-request.ts';
import { type Override, settingsOf } from '../parts/override.tsx';

const loginPath = operations['authentication.token'].path;
const ordersPath = operations['orders.create'].path;
const productsPath = operations['products.list'].path;
const twoFulfillments = `${operations['fulfillments.list'].path}?limit=2`;

/** Of the first user who can log in and order; undefined without one. */
export function firstCallsFor({ sandbox, origin }: ConsoleRequest, state: State): FirstCalls | undefined {
  const ready = readyUser(state);
  return ready?.product && firstCallsOf(ready, state, origin + sandboxBase(sandbox.name));
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** For a shell with curl and sed. */
export const firstCallsInCurl = ({ baseUrl, login, order }: FirstCalls): string => `URL=${shellWord(baseUrl)}
JSON='Content-Type: application/json'

# Log in.
TOKEN=$(curl -s "$URL${loginPath}" -H "$JSON" \\
  -d ${shellWord(JSON.stringify(login))} | ${tokenInSed})

# Create an order.
curl -s -w '\\n' "$URL${ordersPath}" -H "Authorization: Bearer $TOKEN" -H "$JSON" -d ${shellWord(pretty(order))}

# List fulfillments, two at a time.
curl -s -w '\\n' "$URL${twoFulfillments}" -H "Authorization: Bearer $TOKEN"
`;

/** Also valid JavaScript: no line needs a type. */
export const firstCallsInTypeScript = ({ baseUrl, login, order }: FirstCalls): string =>
  `const url = ${JSON.stringify(baseUrl)};
const json = { 'content-type': 'application/json' };

// Log in.
const credentials = ${pretty(login)};
const login = await fetch(\`\${url}${loginPath}\`, {
  method: 'POST',
  headers: json,
  body: JSON.stringify(credentials),
});
const { access_token } = JSON.parse(await login.text());
const authorization = \`Bearer \${access_token}\`;

// Create an order.
const order = ${pretty(order)};
const created = await fetch(\`\${url}${ordersPath}\`, {
  method: 'POST',
  headers: { ...json, authorization },
  body: JSON.stringify(order),
});
console.log(created.status, await created.text());

// List fulfillments, two at a time.
const page = await fetch(\`\${url}${twoFulfillments}\`, { headers: { authorization } });
console.log(page.status, await page.text());
`;

/** With the standard library only. */
export const firstCallsInPython = ({ baseUrl, login, order }: FirstCalls): string => `import json
from urllib.request import Request, urlopen

URL = ${JSON.stringify(baseUrl)}

def call(method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(URL + path, data, headers, method=method)) as response:
        return json.load(response)

# Log in.
token = call("POST", "${loginPath}", ${pretty(login)})["access_token"]

# Create an order.
order = ${pretty(order)}
print(call("POST", "${ordersPath}", order, token))

# List fulfillments, two at a time.
print(call("GET", "${twoFulfillments}", token=token))
`;

/** A recorded request, to be sent again. */
export interface RecordedRequest extends DeepReadonly<Pick<RequestJson, 'method' | 'path' | 'query'>> {
  readonly headers: Readonly<Record<string, string>>;
  /** The raw body. */
  readonly text: string | null;
}

/** The journal has no secrets, so the code asks for them. */
const hasRedactedPart = ({ path, query, text }: RecordedRequest): boolean =>
  (path + query + text).includes('[redacted ');
const redactedNote = 'Replace each [redacted …] with the secret.';

/** @param baseUrl of the sandbox */
export function curlCommand(request: RecordedRequest, baseUrl: string): string {
  const { method, path, query, headers, text } = request;
  const hasToken = 'authorization' in headers;
  const type = headers['content-type'];
  const parts = [
    `curl ${curlOptions(method, path + query)} ${shellWord(baseUrl + path + query)}`,
    hasToken && '-H "Authorization: Bearer $TOKEN"',
    type && `-H ${shellWord(`Content-Type: ${type}`)}`,
    // Without this, curl would add a content type of its own.
    !type && text && "-H 'Content-Type:'",
    // --data would read a body that begins with @ from a file.
    text && `--data-raw ${shellWord(text)}`,
  ];
  const lines = [
    hasToken && `# TOKEN is an access_token from POST ${loginPath}.`,
    hasRedactedPart(request) && `# ${redactedNote}`,
    parts.filter(Boolean).join(' \\\n  '),
  ];
  return lines.filter(Boolean).join('\n');
}

/** Keeps curl from changing the URL: no patterns, and dots in the path stay. */
function curlOptions(method: string, target: string): string {
  const options = [
    method === 'HEAD' ? '--head' : '--include',
    /[[\]{}]/.test(target) && '--globoff',
    /\/\.{1,2}(?:[/?]|$)/.test(target) && '--path-as-is',
    method !== 'GET' && method !== 'HEAD' && `-X ${method}`,
  ];
  return options.filter(Boolean).join(' ');
}

type RecordedCall = DeepReadonly<Omit<RequestJson, 'request' | 'response'>> & RecordedRequest;
type Switches = DeepReadonly<Partial<SwitchesJson>>;

/**
 * A test that makes its own sandbox, sends the request, and expects the same response.
 * @param switches the active ones: the test turns on those that affected the request
 */
export function vitestCase(call: RecordedCall, switches: Switches): string {
  const { method, path, query, status, rules, caller } = call;
  const ruleList = rules.join(', ');
  const title = `${method} ${path} is ${ruleList ? `rejected by ${ruleList}` : `answered ${status}`}`;
  const find = caller === null ? '' : `sandbox.logins.find(${isOfUser} === ${quoted(caller)})`;
  const lines = [
    "import { test } from 'sachet/vitest';",
    "import { expect } from 'vitest';\n",
    `test(${quoted(title)}, async ({ sandbox }) => {`,
    hasRedactedPart(call) && `  // ${redactedNote}`,
    uuid.test(path + query) && '  // A new sandbox has only the ids of the fixtures.',
    isClientCall(call) && `  const client = sandbox.client(${find});`,
    ...overrideLines(call, switches),
    ...(status === null
      ? [`  await expect(${callExpression(call)}).rejects.toThrow();`]
      : [
          `  const response = await ${callExpression(call)};`,
          `  expect(response.status).toBe(${status});`,
          ruleList && `  expect(response.headers.get('Sandbox-Rule')).toBe(${quoted(ruleList)});`,
        ]),
    '});\n',
  ];
  return lines.filter(Boolean).join('\n');
}

/** The logins of a new sandbox have its name as their tag. */
const isOfUser = "({ username }) => username.replace('+' + sandbox.name, '')";

/** A string literal: in single quotes, or as JSON if it has special characters. */
function quoted(text: string): string {
  if (/^[\x20-\x26\x28-\x5b\x5d-\x7e]*$/.test(text)) return `'${text}'`;
  return escapeDirections(JSON.stringify(text));
}

/** Escapes characters that would change the direction of the text around them. */
const escapeDirections = (json: string): string =>
  json.replaceAll(
    /[\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** Sets the assumptions and switches that the response depended on. The client logs in before any switch is on. */
function overrideLines(call: RecordedCall, switches: Switches): string[] {
  const { assumptions = {}, faults = [] } = call.decision ?? {};
  const choices = Object.entries(assumptions).filter(([id, choice]) => !isDefaultChoice(id as AssumptionId, choice));
  const known = Object.entries(switches).filter(([name, current]) => current && faults.includes(name));
  const patch = Object.fromEntries(known.map(([name, current]) => [name, settingsOf(current as Override)]));
  const unknown = faults.filter((name) => !Object.hasOwn(patch, name));
  const lines = [
    choices.length > 0 && `  await sandbox.assumptions.set(${JSON.stringify(Object.fromEntries(choices))});`,
    known.length > 0 && isClientCall(call) && `  await client.get('${productsPath}'); // logs in`,
    known.length > 0 && `  await sandbox.switches.set(${JSON.stringify(patch)});`,
    unknown.length > 0 && `  // Set up the faults that affected it: ${unknown.join(', ')}.`,
  ];
  return lines.filter((line) => line !== false);
}

/** Whether a logged-in client can send it. A missing or refused token, or a body that is not JSON, needs `fetch`. */
const isClientCall = ({ status, headers, text }: RecordedCall): boolean =>
  'authorization' in headers && status !== 401 && (!text || toExpression(text) !== undefined);

/** JSON as a JavaScript expression; undefined if the text is not JSON. */
function toExpression(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  // In an object literal, `__proto__` would set the prototype.
  return text.includes('__proto__') ? `JSON.parse(${quoted(text)})` : escapeDirections(text);
}

function callExpression(call: RecordedCall): string {
  const { method, path, query, headers, text } = call;
  const target = quoted(path + query);
  if (isClientCall(call)) return `client.call(${quoted(method)}, ${target}${text ? `, ${toExpression(text)}` : ''})`;
  const type = headers['content-type'];
  const sentHeaders = [
    'authorization' in headers && "authorization: 'Bearer (the token)'",
    type && `'content-type': ${quoted(type)}`,
  ].filter(Boolean);
  const init = [
    `method: ${quoted(method)}`,
    sentHeaders.length > 0 && `headers: { ${sentHeaders.join(', ')} }`,
    text && `body: ${quoted(text)}`,
  ].filter(Boolean);
  return `sandbox.fetch(${target}, { ${init.join(', ')} })`;
}
