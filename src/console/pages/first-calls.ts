// The first calls of a client as programs to paste: it logs in, creates an order, lists fulfillments.

import { shellWord } from '../../contract/addresses.ts';
import { operations } from '../../contract/operations.ts';
import type { SampleOrder } from '../../sandbox/sample-calls.ts';

export interface FirstCalls {
  readonly baseUrl: string;
  readonly login: { readonly username: string; readonly password: string };
  readonly order: SampleOrder;
}

const pathOf = (id: 'authentication.token' | 'orders.create' | 'fulfillments.list') => operations[id].path;
const [logIn, create, list] = [
  pathOf('authentication.token'),
  pathOf('orders.create'),
  `${pathOf('fulfillments.list')}?limit=2`,
];

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** For a shell, with nothing but curl and sed. */
export const inCurl = ({ baseUrl, login, order }: FirstCalls): string => `URL=${shellWord(baseUrl)}
JSON='Content-Type: application/json'

# Log in.
TOKEN=$(curl -s "$URL${logIn}" -H "$JSON" \\
  -d ${shellWord(JSON.stringify(login))} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

# Create an order.
curl -s -w '\\n' "$URL${create}" -H "Authorization: Bearer $TOKEN" -H "$JSON" -d ${shellWord(pretty(order))}

# List fulfillments, two at a time.
curl -s -w '\\n' "$URL${list}" -H "Authorization: Bearer $TOKEN"
`;

/** Also JavaScript: no line needs types, so it runs wherever there is fetch. */
export const inTypeScript = ({ baseUrl, login, order }: FirstCalls): string => `const url = ${JSON.stringify(baseUrl)};
const json = { 'content-type': 'application/json' };

// Log in.
const login = await fetch(\`\${url}${logIn}\`, {
  method: 'POST',
  headers: json,
  body: JSON.stringify(${indented(literal(login), 2)}),
});
const { access_token } = JSON.parse(await login.text());
const authorization = \`Bearer \${access_token}\`;

// Create an order.
const order = await fetch(\`\${url}${create}\`, {
  method: 'POST',
  headers: { ...json, authorization },
  body: JSON.stringify(${indented(literal(order), 2)}),
});
console.log(order.status, await order.text());

// List fulfillments, two at a time.
const page = await fetch(\`\${url}${list}\`, { headers: { authorization } });
console.log(page.status, await page.text());
`;

/** With the standard library alone. */
export const inPython = ({ baseUrl, login, order }: FirstCalls): string => `import json
from urllib.request import Request, urlopen

URL = ${JSON.stringify(baseUrl)}

def call(method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(URL + path, data, headers, method=method)) as answer:
        return json.load(answer)

# Log in.
token = call("POST", "${logIn}", ${pretty(login)})["access_token"]

# Create an order.
order = ${pretty(order)}
print(call("POST", "${create}", order, token))

# List fulfillments, two at a time.
print(call("GET", "${list}", token=token))
`;

/** As JavaScript writes an object: a line of JSON begins with a key, or with none. */
const literal = (value: unknown): string => pretty(value).replaceAll(/^(\s*)"(\w+)": /gm, '$1$2: ');

const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);
