// `sachet matrix` over small clients that the test writes, and the notes that these clients leave.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { MatrixDocument } from '../../src/node/matrix/report.ts';
import { folder, resultOf } from '../support/command.ts';
import { sachetHere } from '../support/command-here.ts';
import { brandOfDemo } from '../support/order-requests.ts';
import { fixtures } from '../support/sachet.ts';

/** Functions of every client. `node:http` starts three times faster than `fetch`, and hundreds of clients start. */
const beginning = `
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
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
  return { json: async () => JSON.parse(text) };
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

/** The source of a client. */
export const client = (source: string): string => `${beginning}\n${source}\n`;

const count = fixtures.fulfillments.filter(({ brand_id }) => brand_id === brandOfDemo).length;

/** A client that reads the cursor from the body or its field `meta`, and fails unless `readAll` sees every fulfillment once. */
export const pagingClient = (place: 'body' | 'meta', source = 'await logIn();\nawait readAll();'): string =>
  client(`
const readAll = async (at = '') => {
  const seen = [];
  let cursor;
  do {
    const answer = await call('GET', at + '/v2/fulfillments?limit=10' + (cursor ? '&cursor=' + encodeURIComponent(cursor) : ''));
    const body = await answer.json();
    seen.push(...body.fulfillments.map(({ id }) => id));
    cursor = body.${place === 'meta' ? 'meta?.' : ''}next_cursor;
  } while (cursor);
  if (seen.length !== ${count} || new Set(seen).size !== ${count}) fail('saw ' + seen.length + ' of ${count} fulfillments');
};
${source}`);

/** Writes a client with its notes; returns the arguments and the environment of the command over it. */
export function prepared(source: string, args: readonly string[], env = {}) {
  const path = folder({ 'client.mjs': source, notes: '' });
  const words = [process.execPath, join(path, 'client.mjs')];
  const start = [['matrix', ...args, '--', ...words], { NOTES: join(path, 'notes'), ...env }] as const;
  return { start, words, notes: () => readFileSync(join(path, 'notes'), 'utf8').split('\n').slice(0, -1) };
}

/** Runs it in this process to its end; `words` are the command of the client. */
export async function matrix(source: string, args: readonly string[] = [], env = {}) {
  const { start, words, notes } = prepared(source, args, env);
  return { ...(await resultOf(sachetHere(...start), 100_000)), words, notes: notes() };
}

/** The document of --json. */
export async function document(source: string, args: readonly string[] = [], env = {}) {
  const { stdout, stderr, ...more } = await matrix(source, ['--json', ...args], env);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return { ...(JSON.parse(stdout) as MatrixDocument), ...more };
}
