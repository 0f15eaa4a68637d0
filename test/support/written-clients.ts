// Clients as small programs in a file: what a partner's own tests are to `sachet matrix`.
import { brandOfDemo } from './fulfillment-rows.ts';
import type { CursorPlace } from './pages.ts';
import { fixtures } from './sachet.ts';

/** How a client reads the cursor of the next page, of an answer and its body. */
const cursorIn: Readonly<Record<CursorPlace, string>> = {
  body: 'body.next_cursor',
  meta: 'body.meta?.next_cursor',
  link_header: `decodeURIComponent(/[?&]cursor=([^&>]*)/.exec(answer.headers.get('link') ?? '')?.[1] ?? '')`,
  header: `answer.headers.get('x-next-cursor')`,
};

/**
 * What every client can do: `call` with its token, `logIn`, and `note` a line in the file that NOTES names.
 * They are started by the hundred, and a start with Node's `fetch` takes three times as long.
 */
const beginning = `
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const { SACHET_BASE_URL: base, SACHET_USERNAME: username, SACHET_PASSWORD: password } = process.env;
const { SACHET_ADMIN_KEY: key, SACHET_ASSUME: assume, NOTES: notes } = process.env;
const note = (line) => appendFileSync(notes, line + '\\n');
const noted = () => readFileSync(notes, 'utf8').trimEnd().split('\\n');
let token = key;
const call = async (method, path, body) => {
  const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json', connection: 'close' };
  const sent = request(new URL(path, base), { method, headers }).end(body && JSON.stringify(body));
  const [answer] = await once(sent, 'response');
  const text = (await answer.setEncoding('utf8').toArray()).join('');
  const get = (name) => answer.headers[name] ?? null;
  return { status: answer.statusCode, headers: { get }, json: async () => JSON.parse(text) };
};
const logIn = async (user = username, at = '') => {
  const answer = await call('POST', at + '/v2/authentication/token', { username: user, password });
  token = (await answer.json()).access_token;
};
const fail = (why) => {
  console.error(why);
  process.exit(1);
};
`;

/** A client that does this, as a module. */
export const client = (does: string): string => `${beginning}\n${does}\n`;

const count = fixtures.fulfillments.filter(({ brand_id }) => brand_id === brandOfDemo).length;

const readsAll = (place: CursorPlace): string => `
const readAll = async (at = '') => {
  const seen = [];
  let cursor;
  do {
    const answer = await call('GET', at + '/v2/fulfillments?limit=10' + (cursor ? '&cursor=' + encodeURIComponent(cursor) : ''));
    const body = await answer.json();
    seen.push(...body.fulfillments.map(({ id }) => id));
    cursor = ${cursorIn[place]};
  } while (cursor);
  if (seen.length !== ${count} || new Set(seen).size !== ${count}) fail('saw ' + seen.length + ' of ${count} fulfillments');
};
`;

/** A client that reads the fulfillments to their end with the cursor from one place, and fails unless it sees all of them exactly once. */
export const pagingClient = (place: CursorPlace, does = 'await logIn();\nawait readAll();'): string =>
  client(readsAll(place) + does);
