// `sachet compare`: sends recorded calls to a target and to a sandbox in this process, compares the answers, and looks
// for the assumptions that explain the differences.
import { z } from 'zod';
import { createEngine } from '../../app.ts';
import { type AssumptionId, assumptionIds, assumptionRegister, type Choices } from '../../contract/assumptions.ts';
import type { Fixtures } from '../../contract/fixtures.ts';
import { debugHeaderNames } from '../../contract/operation.ts';
import { internChoices } from '../../contract/resolved-assumptions.ts';
import { splitTag } from '../../domain/login-tags.ts';
import {
  AnswerComparison,
  type Difference,
  idsIn,
  type RecordedAnswer,
  type Worlds,
} from '../../fidelity/difference.ts';
import { headersOf, type RecordedCall } from '../../fidelity/recorded-call.ts';
import { Correlation, type Credentials, isLogin, operationOf, type ReplayRequest } from '../../fidelity/replay.ts';
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
  /** `unknown record`: the sandbox does not have the record that the call is about. */
  readonly differences: readonly Difference[] | 'unknown record';
}

/** A choice with which the sandbox answers more calls as the target does. */
export interface Explanation {
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
    const operation = calls[at] && operationOf(calls[at]);
    return operation?.id.startsWith('products.') ? [jsonValueOf(answer.responseBody ?? null)] : [];
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
      const found = comparison.differences(call.method, target, sandbox);
      const differences = found.length > 0 && lacksRecord(world, own, target, sandbox) ? 'unknown record' : found;
      yield { call, request, target, sandbox, differences };
    }
  } finally {
    engine.close();
  }
}

const pick = (login: Credentials | undefined): Credentials | undefined =>
  login && { username: login.username, password: login.password };

const notFoundRules = ['CAT-2', 'FUL-1', 'FUL-2', 'ORD-11', 'ORD-17'];

/** Whether the target has a record, or a page, that the sandbox cannot have. */
function lacksRecord(
  { isSameData }: Worlds,
  { target: path }: ReplayRequest,
  target: RecordedAnswer,
  sandbox: RecordedAnswer,
): boolean {
  const rules = rulesOf(sandbox);
  const isUnknownPage = !isSameData && path.includes('cursor=') && rules.includes('malformed_parameter');
  return target.status < 300 && (isUnknownPage || rules.some((rule) => notFoundRules.includes(rule)));
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
export const countOf = ({ differences }: ComparedCall): number =>
  differences === 'unknown record' ? 0 : differences.length;

interface Candidate {
  readonly assumption: AssumptionId;
  readonly choice: string;
}

/** Looks for the choice that removes the most differences, adopts it, and goes on until no choice removes any. */
async function explain(world: SandboxWorld, base: Choices, compared: readonly ComparedCall[]): Promise<Explanation[]> {
  const explanations: Explanation[] = [];
  for (let [choices, before] = [base, compared]; ; ) {
    const [best, ...others] = await bestCandidates(world, choices, before);
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

/** The choices that leave the fewest differences, if any leaves fewer; first of the assumptions that the calls used. */
async function bestCandidates(world: SandboxWorld, base: Choices, before: readonly ComparedCall[]) {
  const different = before.filter((one) => countOf(one) > 0);
  if (different.length === 0) return [];
  const used = new Set(different.flatMap(({ sandbox }) => assumptionsOf(sandbox)));
  const most = different.reduce((sum, one) => sum + countOf(one), 0);
  const best = await fewest(world, base, [...used], most);
  // An answer does not name an assumption that had no effect on it.
  const others = assumptionIds.filter((id) => !used.has(id));
  return best.length > 0 ? best : fewest(world, base, others, most);
}

async function fewest(world: SandboxWorld, base: Choices, ids: readonly AssumptionId[], most: number) {
  let least = most;
  let best: Candidate[] = [];
  for (const assumption of ids)
    for (const [choice] of assumptionRegister[assumption].choices) {
      if (choice === base[assumption]) continue;
      const count = await countUpTo(compareSandbox(world, internChoices({ ...base, [assumption]: choice })), least);
      if (count > least || count === most) continue;
      best = count < least ? [{ assumption, choice }] : [...best, { assumption, choice }];
      least = count;
    }
  return best;
}

/** How many places differ. It stops once there are more than `most`. */
async function countUpTo(compared: AsyncIterable<ComparedCall>, most: number): Promise<number> {
  let count = 0;
  for await (const one of compared) {
    count += countOf(one);
    if (count > most) break;
  }
  return count;
}
