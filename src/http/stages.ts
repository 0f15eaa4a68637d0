// The stages of a request, in HTTP-4's order. A stage lets the request pass, or throws the refusal that answers it.
import { zValidator } from '@hono/zod-validator';
import type { Context } from 'hono';
import type { z } from 'zod';
import { queryValues } from '../contract/addresses.ts';
import type { Schema } from '../contract/operation.ts';
import { brokenRulesOf, Refusal } from '../contract/refusal.ts';
import { compileOnce } from '../contract/resolved-assumptions.ts';
import type { RuleId } from '../contract/rules.ts';
import { authenticate } from '../domain/tokens.ts';
import type { StageName } from '../journal/decision.ts';
import { type FaultOutcome, hasFaults } from '../sandbox/fault-evaluation.ts';
import { runOperation } from './handlers.ts';
import { tokenOf } from './locate.ts';
import type { RequestContext } from './request-context.ts';
import type { ServiceResponse } from './response.ts';
import { missingTokenProblem } from './tokens.ts';
import { unknownRoute } from './unknown-route.ts';

export interface Stage {
  /** In the journal. */
  readonly name: StageName;
  /** The last stage gives the response. @throws Refusal */
  readonly run: (request: RequestContext) => Promise<ServiceResponse | undefined> | undefined;
}

/** The first stage that throws decides the response. */
export const stages: readonly Stage[] = [
  { name: 'admission', run: applyFaults }, //       500 in maintenance, 429
  { name: 'route', run: requireRoute }, //          404
  { name: 'fault', run: delayOrReject }, //         as the tester's faults say
  { name: 'token', run: requireToken }, //          401
  { name: 'bodyFormat', run: requireBody }, //      400
  { name: 'permission', run: requirePermission }, //403
  { name: 'path', run: validatePath }, //           400
  { name: 'query', run: validateQuery }, //         400
  { name: 'bodySchema', run: validateBody }, //     422
  { name: 'operation', run: runOperation }, //      422 if a business rule is broken, else the answer
];

/** Runs the stages until one gives the response. @throws Refusal */
export async function runStages(request: RequestContext): Promise<ServiceResponse> {
  for (const { name, run } of stages) {
    request.stage = name;
    // Most stages do not wait for anything.
    const pending = run(request);
    const response = pending && (await pending);
    if (response) return response;
  }
  throw new Error('the last stage gives the response');
}

/**
 * Evaluates the faults and the rate limit. Maintenance and the rate limit (LIM-1) answer here, before the route is
 * known.
 */
async function applyFaults(request: RequestContext): Promise<undefined> {
  const isAffected = await request.readState(hasFaults);
  // Every response depends on this assumption, so the trace has it even if it is off.
  request.assumptions?.get('rate_limit');
  if (!isAffected) return;
  const caller = await callerOf(request);
  await request.evaluateFaults(caller);
  const { refusal } = request.faultOutcome ?? {};
  if (refusal) await request.noteRejectedUser(caller.user);
  if (refusal?.beforeRoute) throw refusalOf(refusal);
}

/**
 * The user whose token this sandbox signed, whether or not it is expired: the rate limit is judged before the token.
 * A token is forged if it names a sandbox, and is not signed with this one's key. A login ignores tokens.
 */
async function callerOf(request: RequestContext): Promise<{ user?: string | undefined; isForged: boolean }> {
  const { tokens } = request.deps;
  const token = request.operation?.id === 'authentication.token' ? undefined : tokenOf(request);
  if (typeof token !== 'string' || tokens.sandboxNameOf(token) === undefined) return { isForged: false };
  const claims = await tokens.verify(request.sandbox.identity, token);
  return { user: claims?.sub, isForged: claims === undefined };
}

const refusalOf = ({ rule, retryAfterSeconds }: NonNullable<FaultOutcome['refusal']>): Refusal =>
  new Refusal(rule, { retryAfterSeconds });

/** 404 for a path or method that is not in the contract, or left out by an assumption; 400 for a malformed path. */
function requireRoute(request: RequestContext): undefined {
  const { notRouted } = request;
  if (notRouted) throw notRouted === 'HTTP-1' ? unknownRoute(request) : new Refusal(notRouted);
}

/** As the faults say: delays the request, rejects it, or breaks its connection before it has any effect. */
function delayOrReject(request: RequestContext): Promise<undefined> | undefined {
  return request.faultOutcome && applyFaultOutcome(request, request.faultOutcome);
}

async function applyFaultOutcome(request: RequestContext, outcome: FaultOutcome): Promise<undefined> {
  const { delayMilliseconds, refusal, drop } = outcome;
  if (delayMilliseconds > 0) await request.wait(delayMilliseconds);
  if (refusal?.isSample) throw await sampleOf(request, refusal.rule);
  if (refusal) throw refusalOf(refusal);
  if (drop === 'before_processing') request.breakConnection(drop);
}

/**
 * The answer to a request that breaks the rule. If no request can break it under these assumptions, only its status and
 * its message, which then calls the field "value", as Joi calls one without a name.
 */
async function sampleOf({ deps, operation, assumptions }: RequestContext, rule: RuleId): Promise<Refusal> {
  const sample = operation && assumptions && (await deps.sampleRefusal(operation, rule, assumptions));
  return sample ?? new Refusal(rule, { label: 'value' });
}

/** 401 without a valid access token of this sandbox (AUTH-3, AUTH-4, AUTH-6). Finds the caller. */
async function requireToken(request: RequestContext): Promise<undefined> {
  const { operation, bearer, deps, c } = request;
  if (operation?.permission === null) return;
  if (bearer === undefined) throw new Refusal('missing_token_message', { problem: missingTokenProblem(c.req.raw) });
  const { identity } = request.sandbox;
  const claims = await deps.tokens.verify(identity, bearer);
  if (!claims) {
    const { problem, isFromElsewhere } = deps.tokens.unverified(identity, bearer);
    throw new Refusal(isFromElsewhere ? 'AUTH-4' : 'unauthorized_message', { problem });
  }
  request.caller = await request.read((world) => authenticate(world, claims));
}

/** 400 for a body that is not JSON. The error was kept until this stage. */
function requireBody({ body }: RequestContext): undefined {
  if (body && 'refusal' in body) throw body.refusal;
}

/** 403 for a user who lacks the permission of the endpoint, also by the switch `missing_permission` (AUTH-5). */
function requirePermission(request: RequestContext): Promise<undefined> | undefined {
  const { operation, caller, assumptions, faultOutcome } = request;
  if (!operation?.permission) return undefined;
  const mustHave = assumptions?.get('permissions') === 'per_endpoint';
  if (mustHave && !caller?.user.permissions.includes(operation.permission)) throw lackOf(operation.permission);
  return faultOutcome && requireSwitchedOff(request, operation.permission);
}

async function requireSwitchedOff(request: RequestContext, permission: string): Promise<undefined> {
  if (await request.lacksPermission()) throw lackOf(permission);
}

const lackOf = (permission: string): Refusal =>
  new Refusal('AUTH-5', { problem: `the user lacks the permission ${permission}` });

function validatePath(request: RequestContext): Promise<undefined> | undefined {
  const { operation, c } = request;
  return operation?.params && validate(request, 'param', operation.params, c.req.param());
}

function validateQuery(request: RequestContext): Promise<undefined> | undefined {
  const { operation, search } = request;
  return operation?.query && validate(request, 'query', operation.query, queryValues(search));
}

/**
 * Validates a part of the request with Hono's validator, and keeps its output.
 * @param value instead of Hono's own: as in hapi, an empty name counts, and bytes that are not UTF-8 are replaced
 * @throws Refusal
 */
async function validate(
  { c, input, assumptions }: RequestContext,
  target: 'param' | 'query',
  schema: Schema,
  value: object,
): Promise<undefined> {
  if (!assumptions) return;
  const refuse = (result: { readonly success: boolean; readonly error?: z.core.$ZodError }): void => {
    const judgedAs = target === 'query' ? 'malformed_parameter' : undefined;
    if (result.error) throw new Refusal(brokenRulesOf(result.error, assumptions), { judgedAs });
  };
  // Without `reportInput`, a missing field looks like one of the wrong type.
  const validationFunction = (validated: z.ZodType) => compileOnce(validated).safeParse(value, { reportInput: true });
  const middleware = zValidator(target, schema(assumptions), refuse, { validationFunction });
  await middleware(c as Context, async () => undefined);
  input[target === 'param' ? 'params' : 'query'] = c.req.valid(target as never);
}

/** Without Hono's validator, which would read the body again, without a bound, and only with the right content type. */
function validateBody(request: RequestContext): undefined {
  const { operation, body, assumptions } = request;
  if (!operation?.body || !assumptions || !body || !('value' in body)) return undefined;
  const result = compileOnce(operation.body(assumptions)).safeParse(body.value, { reportInput: true });
  if (!result.success) throw new Refusal(brokenRulesOf(result.error, assumptions));
  request.input.body = result.data;
  return undefined;
}
