// `sachet compare`: sends recorded calls to a target and to a sandbox in this process, compares the answers, and looks
// for the assumptions that explain the differences.
import { z } from 'zod';
import { createEngine } from '../../app.ts';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../contract/assumptions.ts';
import type { Fixtures } from '../../contract/fixtures.ts';
import { debugHeaderNames } from '../../contract/operation.ts';
import { internChoices } from '../../contract/resolved-assumptions.ts';
import { splitTag } from '../../domain/login-tags.ts';
import { operationOf } from '../../fidelity/call-to-judge.ts';
import {
  AnswerComparison,
  type Difference,
  idsIn,
  type RecordedAnswer,
  type Worlds,
} from '../../fidelity/difference.ts';
import { headersOf, type RecordedCall } from '../../fidelity/recorded-call.ts';
import { Correlation, type Credentials, isLogin, type ReplayRequest } from '../../fidelity/replay.ts';
import { jsonValueOf } from '../../journal/redaction.ts';
import { firstReadyUser } from '../../sample-order.ts';
import type { Setting } from '../cli/serve-flags.ts';
import { withChoices } from '../client-server.ts';
import { platform } from '../platform.ts';
import { TargetStopped } from './target.ts';

export type Send = (request: ReplayRequest) => Promise<RecordedAnswer>;

/** A call as it was sent to the target, and the answers of both. */
export interface ComparedCall {
  readonly call: RecordedCall;
  readonly request: ReplayRequest;
  readonly target: RecordedAnswer;
  readonly sandbox: RecordedAnswer;
  readonly differences: readonly Difference[];
  /** Why differences count for nothing; undefined if they count. */
  readonly lacks?: 'the sandbox' | 'the target' | undefined;
}

/** A choice with which the sandbox answers more calls as the target does. */
interface Explanation {
  readonly assumption: AssumptionId;
  readonly choice: string;
  /** What the sandbox had. */
  readonly instead: string;
  /** The other choices that explain the differences as well: `id=choice`. */
  readonly or: readonly string[];
  /** The calls whose differences it removes or reduces. */
  readonly calls: ReadonlySet<RecordedCall>;
}

export interface Comparison {
  readonly calls: readonly ComparedCall[];
  readonly explanations: readonly Explanation[];
  /** Why the target got no further calls. */
  readonly stopped: string | null;
}

interface Sent {
  readonly request: ReplayRequest;
  readonly answer: RecordedAnswer;
}

/** Sends the calls one after the other. */
async function* replay(calls: readonly RecordedCall[], correlation: Correlation, send: Send): AsyncGenerator<Sent> {
  for (const call of calls) {
    const request = correlation.requestFor(call);
    const answer = await send(request);
    correlation.add(call, answer);
    yield { request, answer };
  }
}

const loginBody = z.object({ username: z.string() }).catch({ username: '' });

/** @throws TargetStopped if a login that succeeded in the recording is refused: most calls after it would be, too */
function requireLogin(call: RecordedCall, { request, answer: { status } }: Sent): void {
  if (!isLogin(call) || status < 400) return;
  const { username } = loginBody.parse(jsonValueOf(request.body));
  throw new TargetStopped(`the login of "${username}" got ${status}; check --username and --password-env`);
}

/**
 * @param send to the target
 * @param given the login for the target; undefined: those of the recording
 * @throws TargetStopped if the target answers no call, or refuses the first login
 */
export async function compare(
  calls: readonly RecordedCall[],
  { send, given, setting }: { readonly send: Send; readonly given: Credentials | undefined; readonly setting: Setting },
): Promise<Comparison> {
  const sent: Sent[] = [];
  let stopped: string | null = null;
  try {
    for await (const one of replay(calls, new Correlation(() => given), send)) {
      requireLogin(calls[sent.length] as RecordedCall, one);
      sent.push(one);
    }
  } catch (error) {
    if (!(error instanceof TargetStopped) || sent.length === 0) throw error;
    stopped = error.message;
  }
  const world = sandboxWorld(setting, calls.slice(0, sent.length), sent, given);
  const compared = await collect(compareSandbox(world, setting.choices));
  return { calls: compared, explanations: await explain(world, setting.choices, compared), stopped };
}

/** What each run of the sandbox needs. */
interface SandboxWorld extends Worlds {
  readonly setting: Setting;
  readonly fixtures: Fixtures;
  readonly calls: readonly RecordedCall[];
  readonly sent: readonly Sent[];
  readonly given: Credentials | undefined;
}

function sandboxWorld(
  setting: Setting,
  calls: readonly RecordedCall[],
  sent: readonly Sent[],
  given: Credentials | undefined,
): SandboxWorld {
  const ids = new Set(idsIn(JSON.stringify(setting.fixtures)));
  const isSuccess = ({ answer }: Sent) => answer.status < 300;
  const isSameData = sent
    .filter(isSuccess)
    .some(({ answer }) => idsIn(answer.responseBody ?? '').some((id) => ids.has(id)));
  const fixtures = withProducts(setting.fixtures, productsIn(calls, sent));
  const fixtureIds = new Set([...ids, ...fixtures.products.map(({ id }) => id)]);
  return { setting, fixtures, calls, sent, given, isSameData, fixtureIds };
}

const clientProduct = z.object({
  id: z.guid().lowercase(),
  product_name: z.string().min(1),
  active: z.boolean(),
  serving_size: z.number().positive(),
});
type ClientProduct = z.output<typeof clientProduct>;

/** The products that the target's answers show. */
function productsIn(calls: readonly RecordedCall[], sent: readonly Sent[]): ClientProduct[] {
  const answers = sent.flatMap(({ answer }, at) => {
    const found = calls[at] && operationOf(calls[at]);
    return found?.operation.id.startsWith('products.') ? [jsonValueOf(answer.responseBody ?? null)] : [];
  });
  return answers
    .flatMap((body) => [body, ...Object.values(body ?? {}).flat()])
    .flatMap((value) => clientProduct.safeParse(value).data ?? []);
}

/** The fixtures with the target's products, so that orders of them are judged. New ones belong to the first user. */
function withProducts(fixtures: Fixtures, shown: readonly ClientProduct[]): Fixtures {
  const known = new Map(fixtures.products.map((product) => [product.id, product]));
  const added = new Map(shown.filter(({ id }) => !known.has(id)).map((product) => [product.id, product]));
  const brand_id = firstReadyUser(fixtures)?.brand_id ?? '';
  const updates = new Map(shown.map((product) => [product.id, product]));
  return {
    ...fixtures,
    operator_products: [
      ...fixtures.operator_products,
      ...Array.from(added.values(), ({ id, product_name: name }) => ({ id, name, discontinued: false })),
    ],
    products: [
      ...Array.from(added.values(), (product) => ({ ...product, brand_id, operator_product_id: product.id })),
      ...fixtures.products.map((product) => ({ ...product, ...updates.get(product.id) })),
    ],
  };
}

/** The user of the fixtures that the target's username names; else the first one. */
function sandboxLogin({ fixtures, given }: SandboxWorld, recorded: string): Credentials | undefined {
  const { user: name } = splitTag(given?.username ?? recorded);
  return fixtures.users.find(({ username }) => username === name) ?? firstReadyUser(fixtures);
}

const origin = 'http://localhost';
/** The same seed for each run, unless the user has one: only the choices differ. */
const randomSeed = 'compare';

/** Sends the calls to a new sandbox with these choices, and compares its answers with the target's. */
async function* compareSandbox(world: SandboxWorld, choices: Choices): AsyncGenerator<ComparedCall> {
  const { fixtures, setting, calls, sent } = world;
  const engine = createEngine({ ...platform, randomSeed, ...withChoices(setting, choices), fixtures });
  const send: Send = async ({ method, target, headers, body }) => {
    const bytes = body === null ? null : new TextEncoder().encode(body);
    const response = await engine.fetch(origin + target, { method, headers, body: bytes });
    return {
      status: response.status,
      responseHeaders: headersOf(response.headers),
      responseBody: await response.text(),
    };
  };
  const correlation = new Correlation((username) => pick(sandboxLogin(world, username)), world.fixtureIds);
  const comparison = new AnswerComparison(world);
  let at = 0;
  try {
    for await (const { request: own, answer: sandbox } of replay(calls, correlation, send)) {
      const { request, answer: target } = sent[at] as Sent;
      const call = calls[at] as RecordedCall;
      at += 1;
      const differences = comparison.differences(call.method, target, sandbox);
      const lacks = differences.length > 0 ? whoLacks(world, own, target, sandbox) : undefined;
      yield { call, request, target, sandbox, differences, lacks };
    }
  } finally {
    engine.close();
  }
}

const pick = (login: Credentials | undefined): Credentials | undefined =>
  login && { username: login.username, password: login.password };

const notFoundRules = ['CAT-2', 'FUL-1', 'FUL-2', 'ORD-11', 'ORD-17'];

/** Which of the two cannot have the record, or the page, that the call is about. */
function whoLacks(
  { isSameData }: Worlds,
  { target: path }: ReplayRequest,
  target: RecordedAnswer,
  sandbox: RecordedAnswer,
): ComparedCall['lacks'] {
  const rules = rulesOf(sandbox);
  const isUnknownPage = !isSameData && path.includes('cursor=') && rules.includes('malformed_parameter');
  if (target.status < 300 && (isUnknownPage || rules.some((rule) => notFoundRules.includes(rule))))
    return 'the sandbox';
  const isUnknown = sandbox.status < 300 && [404, 422].includes(target.status) && !isSameData;
  return isUnknown && target.responseBody?.includes(' not found"') ? 'the target' : undefined;
}

const listIn = ({ responseHeaders }: RecordedAnswer, name: string): string[] =>
  (responseHeaders.get(name.toLowerCase()) ?? '').split(', ').filter((part) => part !== '');

/** The rules that a sandbox's answer names. */
export const rulesOf = (answer: RecordedAnswer): string[] => listIn(answer, debugHeaderNames.rule);

/** The assumptions that a sandbox's answer used. */
export const assumptionsOf = (answer: RecordedAnswer): AssumptionId[] =>
  listIn(answer, debugHeaderNames.assumption).map((choice) => choice.replace(/=.*/, '') as AssumptionId);

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** How many places of a call differ. */
export const countOf = ({ differences, lacks }: ComparedCall): number => (lacks === undefined ? differences.length : 0);

/** Looks for the choice that removes the most differences, adopts it, and goes on until no choice removes any. */
async function explain(world: SandboxWorld, base: Choices, compared: readonly ComparedCall[]): Promise<Explanation[]> {
  const explanations: Explanation[] = [];
  let [choices, before] = [base, compared];
  for (;;) {
    const open = assumptionIds.filter((id) => explanations.every(({ assumption }) => assumption !== id));
    const [best, ...others] = await bestCandidates(world, choices, before, open);
    if (!best) return explanations;
    const { assumption, choice } = best;
    const instead = choices[assumption];
    choices = internChoices({ ...choices, [assumption]: choice });
    const after = await collect(compareSandbox(world, choices));
    const reduced = before.filter((one, at) => countOf(one) > countOf(after[at] as ComparedCall));
    const calls = new Set(reduced.map(({ call }) => call));
    const or = others.map((one) => `${one.assumption}=${one.choice}`);
    explanations.push({ assumption, choice, instead, or, calls });
    before = after;
  }
}

interface Candidate {
  readonly assumption: AssumptionId;
  readonly choice: string;
}

const candidatesOf = (assumption: AssumptionId): Candidate[] =>
  assumptionRegister[assumption].choices.map(([choice]) => ({ assumption, choice }));

/** The choices that leave the fewest differences, if any leaves fewer; first of the assumptions that the calls used. */
async function bestCandidates(
  world: SandboxWorld,
  base: Choices,
  before: readonly ComparedCall[],
  open: readonly AssumptionId[],
): Promise<Candidate[]> {
  const judged = before.slice(0, lastOfKind(before) + 1);
  const used = new Set(judged.filter((one) => countOf(one) > 0).flatMap(({ sandbox }) => assumptionsOf(sandbox)));
  if (used.size === 0) return [];
  // An answer does not name an assumption that had no effect on it.
  for (const ids of [open.filter((id) => used.has(id)), open.filter((id) => !used.has(id))]) {
    const best = await fewest(world, base, judged, ids.flatMap(candidatesOf));
    // The calls that were left out may decide between several.
    if (best.length > 0) return best.length > 1 ? fewest(world, base, before, best) : best;
  }
  return [];
}

/** The place of the last call that is the first one to differ in its way. The calls after it would only cost time. */
function lastOfKind(calls: readonly ComparedCall[]): number {
  const firsts = new Map<string, number>();
  for (const [at, one] of calls.entries()) {
    const { call, differences, sandbox } = one;
    const operation = operationOf(call)?.operation.id ?? call.method;
    const paths = differences.map(({ path }) => path.replaceAll(/\d+/g, '*'));
    const kind = JSON.stringify([operation, rulesOf(sandbox), ...new Set(paths)]);
    if (countOf(one) > 0 && !firsts.has(kind)) firsts.set(kind, at);
  }
  return Math.max(-1, ...firsts.values());
}

async function fewest(
  world: SandboxWorld,
  base: Choices,
  before: readonly ComparedCall[],
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const most = before.reduce((sum, one) => sum + countOf(one), 0);
  let least = most;
  let best: Candidate[] = [];
  for (const candidate of candidates) {
    if (candidate.choice === base[candidate.assumption]) continue;
    const choices = internChoices({ ...base, [candidate.assumption]: candidate.choice });
    const count = await countUpTo(compareSandbox(world, choices), before, least);
    if (count > least || count === most) continue;
    best = count < least ? [candidate] : [...best, candidate];
    least = count;
  }
  return best;
}

/** How many places differ in the first calls, as many as `before` has. It stops once there are more than `most`. */
async function countUpTo(
  compared: AsyncIterable<ComparedCall>,
  before: readonly ComparedCall[],
  most: number,
): Promise<number> {
  let [count, at] = [0, 0];
  for await (const one of compared) {
    // A call that can no longer be compared is not explained.
    count += countOf(one.lacks === undefined ? one : (before[at] as ComparedCall));
    at += 1;
    if (count > most || at === before.length) break;
  }
  return count;
}
