// The sandbox of `sachet compare`: a new one for each run, with the target's products, that gets the recorded calls.
import { z } from 'zod';
import { createEngine } from '../../app.ts';
import type { AssumptionId, Choices } from '../../contract/assumptions.ts';
import type { Fixtures } from '../../contract/fixtures.ts';
import { debugHeaderNames } from '../../contract/operation.ts';
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
import { Correlation, type Credentials, type ReplayRequest } from '../../fidelity/replay.ts';
import { jsonValueOf } from '../../journal/redaction.ts';
import { firstReadyUser } from '../../sample-order.ts';
import type { Setting } from '../cli/serve-flags.ts';
import { withChoices } from '../client-server.ts';
import { platform } from '../platform.ts';

export type Send = (request: ReplayRequest) => Promise<RecordedAnswer>;

export interface Sent {
  /** As it was recorded. */
  readonly call: RecordedCall;
  readonly request: ReplayRequest;
  readonly answer: RecordedAnswer;
}

/** A call as it was sent to the target, and the answers of both. */
export interface ComparedCall extends Omit<Sent, 'answer'> {
  readonly target: RecordedAnswer;
  readonly sandbox: RecordedAnswer;
  readonly differences: readonly Difference[];
  /** Why differences count for nothing; undefined if they count. */
  readonly lacks: 'the sandbox' | 'the target' | undefined;
}

/** How many places of a call differ. */
export const countOf = ({ differences, lacks }: ComparedCall): number => (lacks === undefined ? differences.length : 0);

/** Sends the calls one after the other. */
export async function* replay(
  calls: readonly RecordedCall[],
  correlation: Correlation,
  send: Send,
): AsyncGenerator<Sent> {
  for (const call of calls) {
    const request = correlation.requestFor(call);
    const answer = await send(request);
    correlation.add(call, answer);
    yield { call, request, answer };
  }
}

/** What each run of the sandbox needs. */
export interface SandboxWorld extends Worlds {
  readonly setting: Setting;
  readonly fixtures: Fixtures;
  /** The calls, and the target's answers. */
  readonly sent: readonly Sent[];
  readonly given: Credentials | undefined;
}

export function sandboxWorld(setting: Setting, sent: readonly Sent[], given: Credentials | undefined): SandboxWorld {
  const ids = new Set(idsIn(JSON.stringify(setting.fixtures)));
  const isSameData = sent.some(
    ({ answer }) => answer.status < 300 && idsIn(answer.responseBody ?? '').some((id) => ids.has(id)),
  );
  const fixtures = withProducts(setting.fixtures, sent.flatMap(productsIn));
  const fixtureIds = new Set([...ids, ...fixtures.products.map(({ id }) => id)]);
  return { setting, fixtures, sent, given, isSameData, fixtureIds };
}

const clientProduct = z.object({
  id: z.guid().lowercase(),
  product_name: z.string().min(1),
  active: z.boolean(),
  serving_size: z.number().positive(),
});
type ClientProduct = z.output<typeof clientProduct>;

/** The products that an answer of the target shows. */
function productsIn({ call, answer }: Sent): ClientProduct[] {
  if (!operationOf(call)?.operation.id.startsWith('products.')) return [];
  const body = jsonValueOf(answer.responseBody ?? null);
  const values = [body, ...Object.values(body ?? {}).flat()];
  return values.flatMap((value) => clientProduct.safeParse(value).data ?? []);
}

/** The fixtures with the target's products, so that orders of them are judged. New ones belong to the first user. */
function withProducts(fixtures: Fixtures, products: readonly ClientProduct[]): Fixtures {
  const shown = new Map(products.map((product) => [product.id, product]));
  const known = new Set(fixtures.products.map(({ id }) => id));
  const added = [...shown.values()].filter(({ id }) => !known.has(id));
  const brand_id = firstReadyUser(fixtures)?.brand_id ?? '';
  return {
    ...fixtures,
    operator_products: [
      ...fixtures.operator_products,
      ...added.map(({ id, product_name: name }) => ({ id, name, discontinued: false })),
    ],
    products: [
      ...added.map((product) => ({ ...product, brand_id, operator_product_id: product.id })),
      ...fixtures.products.map((product) => ({ ...product, ...shown.get(product.id) })),
    ],
  };
}

/** The user of the fixtures that the target's username names; else the first one. */
function sandboxLogin({ fixtures, given }: SandboxWorld, recorded: string): Credentials | undefined {
  const { user: name } = splitTag(given?.username ?? recorded);
  const user = fixtures.users.find(({ username }) => username === name) ?? firstReadyUser(fixtures);
  return user && { username: user.username, password: user.password };
}

export interface SandboxRun {
  readonly world: SandboxWorld;
  readonly choices: Choices;
  readonly calls: readonly ComparedCall[];
}

/** The same seed for each run, unless the user has one: only the choices differ. */
const randomSeed = 'compare';

/**
 * Sends the calls to a new sandbox with these choices, and compares its answers with the target's.
 * @param goesOn is asked after each call
 */
export async function compareSandbox(
  world: SandboxWorld,
  choices: Choices,
  goesOn: (one: ComparedCall, at: number) => boolean = () => true,
): Promise<SandboxRun> {
  const { fixtures, setting, sent } = world;
  const engine = createEngine({ ...platform, randomSeed, ...withChoices(setting, choices), fixtures });
  const send: Send = async ({ method, target, headers, body }) => {
    const bytes = body === null ? null : new TextEncoder().encode(body);
    const response = await engine.fetch(`http://localhost${target}`, { method, headers, body: bytes });
    const responseHeaders = headersOf(response.headers);
    return { status: response.status, responseHeaders, responseBody: await response.text() };
  };
  const correlation = new Correlation((username) => sandboxLogin(world, username), world.fixtureIds);
  const comparison = new AnswerComparison(world);
  const calls: ComparedCall[] = [];
  try {
    const recorded = sent.map(({ call }) => call);
    for await (const { request: own, answer: sandbox } of replay(recorded, correlation, send)) {
      const { call, request, answer: target } = sent[calls.length] as Sent;
      const differences = comparison.differences(call.method, target, sandbox);
      const lacks = differences.length > 0 ? whoLacks(world, own, target, sandbox) : undefined;
      const one = { call, request, target, sandbox, differences, lacks };
      calls.push(one);
      if (!goesOn(one, calls.length - 1)) break;
    }
  } finally {
    engine.close();
  }
  return { world, choices, calls };
}

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
