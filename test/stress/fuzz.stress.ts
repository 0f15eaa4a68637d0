// Whatever is sent, what is answered is what the contract declares (HTTP-2, HTTP-3), and the server stays up.
import { test } from 'vitest';
import { statusNames } from '../../src/contract/operation.ts';
import { errorBody } from '../../src/contract/refusal.ts';
import { answersIn, firstAnswer, type HttpAnswer } from '../support/http-answers.ts';
import { publishedFetch } from '../support/published.ts';
import { fixtures } from '../support/sachet.ts';
import { faultsOf, firstOf, shown, sized, tell } from './figure.ts';
import { type Fuzzed, fuzzedRequests } from './fuzzed-requests.ts';
import { headText } from './request-text.ts';
import { startStressed, wordsBesideLog } from './server.ts';
import { exchanged, together } from './sockets.ts';

const total = sized(10_000, 1000);
const atATime = 50;

/** The seed of a run that is to be had again. */
const seed = Number(process.env.STRESS_SEED ?? Date.now() % 2 ** 31);

test('fuzzed requests', async (context) => {
  const server = await startStressed();
  const { url, port, token } = server;
  const found: Found = { statuses: new Map(), faults: [] };
  const requests = fuzzedRequests(total, seed, new URL(url).host, token);
  await together(requests, atATime, async (fuzzed) => {
    try {
      const answers = answersTo(fuzzed, await exchanged(port, fuzzed.bytes, !fuzzed.isBroken));
      for (const { status } of answers) found.statuses.set(status, (found.statuses.get(status) ?? 0) + 1);
      await judge(fuzzed, answers);
    } catch (error) {
      found.faults.push(`${error}, to ${JSON.stringify(fuzzed.bytes.toString('latin1').replaceAll(token, '…'))}`);
    }
  });
  const last = headText(url, token, 'GET /v2/products', 'Connection: close');
  const [after] = answersIn(await exchanged(port, Buffer.from(last)));
  process.stderr.write(found.faults.slice(0, 10).join('\n\n'));
  tellFuzz(context, found, { isUp: after?.status === 200, words: wordsBesideLog(server) });
});

interface Found {
  /** How many answers had which status. */
  readonly statuses: Map<number, number>;
  readonly faults: string[];
}

interface After {
  readonly isUp: boolean;
  /** On standard error, beside the log. */
  readonly words: readonly string[];
}

function tellFuzz(context: Parameters<typeof tell>[0], { statuses, faults }: Found, { isUp, words }: After): void {
  const told = [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${shown(count)} × ${status}`);
  tell(context, {
    row: 'fuzz',
    done: `${shown(total)} fuzzed requests each over its own connection, ${atATime} at a time: wrong paths, queries, headers, bodies and orders, and bytes that are not HTTP (STRESS_SEED=${seed})`,
    wanted:
      'each gets a response; only declared statuses; every body valid according to the OpenAPI document; the server still runs',
    measured: `${told.join(', ')}; ${shown(faults.length)} faults`,
    faults: faultsOf({
      [`faults: ${firstOf(faults)}`]: faults.length > 0,
      'the server no longer answers': !isUp,
      [`standard error has ${firstOf(words)}`]: words.length > 0,
    }),
  });
}

/**
 * What is no whole request to HEAD may be refused with a body: its method counts for nothing then, of all that came or of what stands behind a first
 * whole one.
 */
function answersTo({ method, isBroken }: Fuzzed, bytes: Buffer): HttpAnswer[] {
  if (method !== 'HEAD') return answersIn(bytes);
  if (!isBroken) return answersIn(bytes, true);
  const first = firstAnswer(bytes, { isHead: true, isClosed: true });
  const behind = bytes.subarray(first?.length ?? 0);
  return (
    unlessThrown(() => answersIn(bytes, true)) ??
    unlessThrown(() => [...(first ? [first.answer] : []), ...answersIn(behind)]) ??
    answersIn(bytes)
  );
}

function unlessThrown<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** @throws for an answer that is not one of the contract, or for none */
async function judge(fuzzed: Fuzzed, answers: readonly HttpAnswer[]): Promise<void> {
  if (answers.length === 0) throw new Error('no answer');
  if (!fuzzed.isBroken && answers.length > 1) throw new Error('one request has several answers');
  for (const answer of answers) judgeAlone(answer);
  const [answer] = answers;
  if (!answer || fuzzed.isBroken || !isPublished(fuzzed)) return;
  const { method, url, body } = fuzzed;
  const { status, text } = answer;
  // Its length was looked at; the header says nothing more.
  const { 'content-length': _, ...headers } = answer.headers;
  const answering = publishedFetch(async () => new Response(text || null, { status, headers }), { fixtures });
  await answering(url, { method, ...(body === undefined ? {} : { body }) });
}

/** The documents tell of the operations under a base URL that there is. */
const isPublished = ({ url, isElsewhere }: Fuzzed): boolean =>
  !isElsewhere && /^(?:\/sandboxes\/(?:stage|production))?\/v2\//.test(new URL(url).pathname);

/** What is so of any answer, whatever was asked. */
function judgeAlone({ status, headers, text }: HttpAnswer): void {
  if (!(status in statusNames)) throw new Error(`the status ${status} is not declared`);
  if (headers['content-type'] !== 'application/json; charset=utf-8') throw new Error('the body is not JSON');
  if (text === '') return;
  const body: unknown = JSON.parse(text);
  if (status < 400) return;
  const { statusCode, error } = errorBody.parse(body);
  if (statusCode !== status || error !== statusNames[status as keyof typeof statusNames])
    throw new Error(`the error body of ${status} says ${text}`);
}
