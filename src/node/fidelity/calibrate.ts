// `sachet calibrate`: asks a service the requests of the probes that are still open, and learns from its answers.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { counted } from '../../client/printable.ts';
import { filled, namesIn } from '../../contract/addresses.ts';
import { type AssumptionId, assumptionIds, assumptionRegister } from '../../contract/assumptions.ts';
import {
  callInWords,
  malformedToken,
  openingCalls,
  type Probe,
  type ProbeCall,
  probeMark,
} from '../../contract/probes.ts';
import { rules } from '../../contract/rules.ts';
import { once } from '../../contract/schema.ts';
import { isUuid } from '../../fidelity/difference.ts';
import { textOf } from '../../fidelity/json-parts.ts';
import { Learner } from '../../fidelity/learner.ts';
import type { RecordedCall } from '../../fidelity/recorded-call.ts';
import type { ReplayRequest } from '../../fidelity/replay.ts';
import { jsonValueOf } from '../../journal/redaction.ts';
import { requestId } from '../../system/random.ts';
import { passwordIn, type TargetFlags } from '../cli/target-flags.ts';
import { printProgress } from '../client-output.ts';
import { interruptible } from '../client-process.ts';
import { openProgress, type Progress } from './progress-file.ts';
import { prepareReport, type ReportFlags } from './report.ts';
import { SecretRedactor } from './secrets.ts';
import { StopError, targetSender } from './target.ts';

export interface CalibrateFlags extends ReportFlags, TargetFlags {
  readonly username: string;
  readonly passwordEnv: string;
  /** Empty: all. */
  readonly only: readonly AssumptionId[];
  /** Values of placeholders, by name. */
  readonly known: Readonly<Record<string, string>>;
}

/** An assumption with the probe that decides it. */
type Step = Probe & { readonly id: AssumptionId };

/** The probes of these assumptions. Those that write may need `--allow-writes`. */
function stepsOf(ids: readonly AssumptionId[]) {
  const steps = ids.flatMap((id): Step[] => {
    const { probe } = assumptionRegister[id];
    return 'unobservable' in probe ? [] : [{ id, ...probe }];
  });
  return { reading: steps.filter(({ writes }) => !writes), writing: steps.filter(({ writes }) => writes) };
}

const selectedSteps = ({ only }: CalibrateFlags) =>
  stepsOf(assumptionIds.filter((id) => only.length === 0 || only.includes(id)));

/** The parts of answers that later requests need. */
const answerParts = once(() =>
  z
    .object({
      access_token: z.string(),
      refresh_token: z.string(),
      client_products: z.array(z.object({ id: z.string(), active: z.boolean() })),
      order: z.object({
        id: z.string(),
        status: z.string().catch('unknown status'),
        consumer: z.object({ id: z.string() }).catch({ id: 'unknown' }),
      }),
    })
    .partial(),
);
type AnswerParts = z.output<ReturnType<typeof answerParts>>;

/** The name of a request in the progress file. */
const keyOf = (call: ProbeCall): string => JSON.stringify({ ...call, note: undefined });

/** The requests for orders that the service must refuse, by their names in the progress file. */
const refusedOrders = once(() => {
  const calls = stepsOf(assumptionIds).reading.flatMap((step) => step.calls);
  const orders = calls.filter(({ method, path }) => method === 'POST' && path === '/v2/orders');
  return new Map(orders.map((call) => [keyOf(call), call]));
});

/** Of http or https, without credentials, which `fetch` refuses. */
function isPlainUrl(text: string): boolean {
  const { protocol, username, password } = URL.canParse(text) ? new URL(text) : new URL('none:');
  return /^https?:$/.test(protocol) && username + password === '';
}

class Calibration {
  readonly learner: Learner;
  /** By id, the newest state of each order that this run or an earlier one created. */
  readonly created = new Map<string, NonNullable<AnswerParts['order']>>();
  readonly #flags: CalibrateFlags;
  readonly #redactor: SecretRedactor;
  readonly #progress: Progress;
  readonly #sender: ReturnType<typeof targetSender>;
  /** The requests that have an answer. */
  readonly #answered = new Set<string>();
  readonly #answeredBefore: number;
  readonly #values: Map<string, string>;
  /** The answer of GET /v2/products, in lower case. */
  #products: string | undefined;
  /** The orders that were accepted without an id in the answer. */
  #withoutId = 0;
  /** Why no further question may be asked. */
  #problem: Error | undefined;

  constructor(
    flags: CalibrateFlags,
    password: string,
    redactor: SecretRedactor,
    progress: Progress,
    signal: AbortSignal,
  ) {
    this.learner = new Learner(redactor);
    this.#flags = flags;
    this.#redactor = redactor;
    this.#progress = progress;
    this.#sender = targetSender(flags, signal);
    const own = { username: flags.username, password, email: progress.head.email, unknown: randomUUID() };
    this.#values = new Map(Object.entries(own));
    for (const [name, value] of Object.entries(flags.known)) this.learner.known.set(name, value);
    for (const { request, entry } of progress.exchanges) this.#learn(request, entry);
    this.#answeredBefore = this.#answered.size;
    // The file has tags in their place.
    for (const secret of ['access_token', 'refresh_token', 'replaced']) this.#values.delete(secret);
  }

  /** Whether this run had an answer that no earlier one had. */
  get hasNewAnswers(): boolean {
    return this.#answered.size > this.#answeredBefore;
  }

  /** What the run, or an earlier one, created: a line for each order. */
  get left(): readonly string[] {
    const lines = Array.from(this.created.values(), ({ id, status, consumer }) =>
      status === 'Canceled'
        ? `Created and canceled: order ${id} of consumer ${consumer.id}`
        : `Left in the service: order ${id} (${status}) of consumer ${consumer.id}`,
    );
    if (this.#withoutId === 0) return lines;
    const orders = counted(this.#withoutId, 'order');
    return [...lines, `Maybe left in the service: ${orders} for "${probeMark}", accepted without an id to cancel it`];
  }

  /** Asks everything that is open, and cancels the created orders. @throws StopError; Error for the progress file */
  async run(): Promise<void> {
    this.#requireNoProblem();
    try {
      await this.#askAll();
      await this.#cancelOrders();
    } catch (error) {
      // The orders can still be canceled.
      if (this.#problem) await this.#cancelOrders().catch(() => undefined);
      throw this.#problem ?? error;
    }
    this.#requireNoProblem();
  }

  #requireNoProblem(): void {
    if (this.#problem) throw this.#problem;
  }

  async #askAll(): Promise<void> {
    await this.#open();
    const steps = selectedSteps(this.#flags);
    for (const step of steps.reading) await this.#settle(step);
    const writing = steps.writing.filter(({ id }) => this.#isOpen(id));
    if (!this.#flags.allowWrites) {
      const wanted = writing.filter(({ id }) => this.#flags.only.includes(id));
      for (const { id } of wanted) printProgress(`${id} stays open: its probe creates an order; pass --allow-writes`);
      return;
    }
    const count = new Set(writing.flatMap(({ calls }) => calls.map(keyOf))).size;
    const email = this.#values.get('email');
    if (count > 0)
      printProgress(`Creates up to ${counted(count, 'order')} for consumers named "${probeMark}" with email ${email}`);
    for (const step of writing) await this.#settle(step);
  }

  /** Logs in, and reads what the probes need. */
  async #open(): Promise<void> {
    for (const call of openingCalls) {
      const answer = await this.#ask(call);
      if (this.#values.has('access_token')) continue;
      throw new StopError(
        `the login of "${this.#flags.username}" was answered ${answer?.status} without an access_token; check ` +
          `--target, --username, and the variable ${this.#flags.passwordEnv}, which has the password`,
      );
    }
  }

  async #settle({ id, calls }: Step): Promise<void> {
    let last: RecordedCall | undefined;
    for (const call of calls) {
      if (!this.#isOpen(id)) return;
      const problem = this.#problemOf(call, last);
      if (problem !== undefined) return printProgress(`${id} stays open: ${problem}`);
      try {
        last = await this.#ask(call);
      } catch (error) {
        // The label is on another host.
        if (!(error instanceof StopError && error.kind === 'no answer') || call.path.startsWith('/')) throw error;
        return printProgress(this.#redactor.hide(`${id} stays open: ${error.message}`));
      }
    }
  }

  /** Why a request cannot be sent. @param last the answer to the request before it */
  #problemOf(call: ProbeCall, last: RecordedCall | undefined): string | undefined {
    const reason = call.isAfterRefusal && this.#reasonAgainstForeign(last);
    if (reason) return `it takes ${call.note}, but ${reason}; pass another one with --known`;
    const names = namesIn(call.path + JSON.stringify(call.body ?? null));
    const token = { valid: ['access_token'], replaced: ['replaced'], none: [], malformed: [] }[call.token ?? 'valid'];
    const missing = [...names, ...token].find((name) => {
      const value = this.#valueFor(name);
      return value === undefined || (name === 'label_url' && !isPlainUrl(value));
    });
    return missing && `no answer had its {${missing}}; if you know one, pass --known ${missing}=value`;
  }

  /** Why an order of `foreign_product` could be accepted. @param last the answer to its read */
  #reasonAgainstForeign(last: RecordedCall | undefined): string | undefined {
    const id = (this.#valueFor('foreign_product') ?? '').toLowerCase();
    if (this.#products === undefined) return 'GET /v2/products did not list your own products';
    if (this.#products.includes(id) || (last?.status ?? 0) < 400) return 'this one can be read';
    const message = textOf(jsonValueOf(last?.responseBody ?? null), 'message');
    const isRefused =
      last?.status === 403 || (last?.status === 404 && message === rules['CAT-2'].message({ what: 'Product' }));
    return isRefused ? undefined : `the answer ${last?.status} to its read does not show that it is one`;
  }

  readonly #isOpen = (id: AssumptionId): boolean => this.learner.allowed(id).length > 1;

  /** Sends a request, unless it has an answer. @throws StopError; Error for the progress file */
  async #ask(call: ProbeCall): Promise<RecordedCall | undefined> {
    const answer = await this.#send(call);
    this.#requireNoProblem();
    return answer;
  }

  async #send(call: ProbeCall): Promise<RecordedCall | undefined> {
    const key = keyOf(call);
    if (!call.isFresh && this.#answered.has(key)) return undefined;
    const request = requestOf(call, (name) => this.#valueFor(name) ?? '');
    return this.#sender(request, callInWords(call), (one) => {
      printProgress(`${callInWords(call)} → ${one.status}`);
      this.#redactor.addFrom(one.responseBody);
      try {
        this.#progress.append(key, one);
      } catch (error) {
        this.#problem ??= error as Error;
      }
      this.#learn(key, one);
    });
  }

  async #cancelOrders(): Promise<void> {
    if (!this.learner.allowed('order_endpoints').includes('assumed')) return;
    for (const { id, status } of this.created.values())
      if (status !== 'Canceled' && isUuid.test(id))
        await this.#send({ method: 'POST', path: `/v2/orders/${id}/cancel` });
  }

  #learn(request: string, call: RecordedCall): void {
    this.learner.add(call, this.#flags.target);
    if (call.status < 500 && call.status !== 429) this.#answered.add(request);
    if (call.status >= 300) return;
    if (call.method === 'GET' && call.path.endsWith('/v2/products')) this.#products = call.responseBody?.toLowerCase();
    const { data = {} } = answerParts().safeParse(jsonValueOf(call.responseBody ?? null));
    const { access_token, refresh_token, client_products: products, order } = data;
    const set = (name: string, value: string | undefined) => value !== undefined && this.#values.set(name, value);
    if (call.path.endsWith('/refresh-token')) set('replaced', this.#values.get('access_token'));
    set('access_token', access_token);
    set('refresh_token', refresh_token);
    set('product', products?.find(({ active }) => active)?.id);
    set('inactive_product', products?.find(({ active }) => !active)?.id);
    const accepted = refusedOrders().get(request);
    if (accepted) this.#problem ??= acceptedError(accepted);
    if (order && call.method === 'POST') this.created.set(order.id, order);
    else if (call.method === 'POST' && call.path.endsWith('/v2/orders')) this.#withoutId += 1;
  }

  #valueFor(name: string): string | undefined {
    return this.#flags.known[name] ?? this.#values.get(name) ?? this.learner.known.get(name);
  }
}

/** The service accepted an order that it should refuse, also in an earlier run. */
const acceptedError = (call: ProbeCall): StopError =>
  new StopError(
    `the service accepted ${callInWords(call)}, which it should refuse; calibrate ends here, so that it creates no ` +
      'more orders',
    'accepted',
  );

/** @param valueFor the values of its placeholders */
function requestOf(call: ProbeCall, valueFor: (name: string) => string): ReplayRequest {
  const { method, path, body: json, raw, token = 'valid' } = call;
  const encoded = (name: string) => encodeURIComponent(valueFor(name));
  const inJson = (name: string) => JSON.stringify(valueFor(name)).slice(1, -1);
  const body = raw ?? (json === undefined ? null : filled(JSON.stringify(json), inJson));
  const bearer = token === 'malformed' ? malformedToken : valueFor(token === 'valid' ? 'access_token' : 'replaced');
  return {
    method,
    target: filled(path, path.startsWith('/') ? encoded : valueFor),
    headers: {
      accept: 'application/json',
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(token !== 'none' && { authorization: `Bearer ${bearer}` }),
    },
    body,
  };
}

/** The requests of a run in their order, with their placeholders. */
function planOf(flags: CalibrateFlags) {
  const seen = new Set<string>();
  const requestsOf = (calls: readonly ProbeCall[]) =>
    calls.flatMap((call) => {
      if (!call.isFresh && seen.has(keyOf(call))) return [];
      seen.add(keyOf(call));
      return [{ request: callInWords(call), body: call.raw ?? (call.body ? JSON.stringify(call.body) : null) }];
    });
  const opening = requestsOf(openingCalls);
  const { reading, writing } = selectedSteps(flags);
  const steps = [...reading, ...(flags.allowWrites ? writing : [])];
  return {
    target: flags.target,
    opening,
    steps: steps.map(({ id: assumption, calls, writes: creates_order = false }) => ({
      ...{ assumption, creates_order, requests: requestsOf(calls) },
    })),
  };
}

function textOfPlan({ target, opening, steps }: ReturnType<typeof planOf>, allowWrites: boolean): string {
  const linesOf = (requests: typeof opening) =>
    requests.flatMap(({ request, body }) => [`  ${request}`, ...(body ? [`    ${body}`] : [])]);
  return [
    `Connects to ${target}, and to the {label_url} that it gives. Sends, unless earlier answers decide:`,
    ...linesOf(opening),
    ...steps.flatMap(({ assumption, creates_order, requests }) => [
      creates_order ? `${assumption} (creates an order)` : assumption,
      ...linesOf(requests),
    ]),
    ...(allowWrites ? ['Cancels the created orders, if the service offers it.'] : []),
    '',
  ].join('\n');
}

/**
 * Runs the command.
 * @returns whether the run ended well and without findings
 */
export async function runCalibrateCommand(flags: CalibrateFlags): Promise<boolean> {
  if (flags.plan) {
    const plan = planOf(flags);
    process.stdout.write(flags.json ? `${JSON.stringify(plan)}\n` : textOfPlan(plan, flags.allowWrites));
    return true;
  }
  const password = passwordIn(flags.passwordEnv);
  const finish = prepareReport('calibrate', flags);
  const redactor = new SecretRedactor(password);
  const email = `sachet-probe+${requestId(10)}@example.com`;
  const { target, username, out } = flags;
  const progress = openProgress(`${out}.progress`, { target, username, email }, redactor);
  const printLeft = (calibration: Calibration | undefined): void => {
    for (const line of calibration?.left ?? []) printProgress(redactor.hide(line));
  };
  let calibration: Calibration | undefined;
  const run = async (signal: AbortSignal): Promise<boolean> => {
    calibration = new Calibration(flags, password, redactor, progress, signal);
    let problem = await calibration.run().catch((error: unknown) => error as Error);
    let hasNoFindings = false;
    try {
      const { facts, ...report } = calibration.learner.report();
      const times = facts.administration_times?.map((time) => redactor.hide(time));
      hasNoFindings = finish({ ...report, facts: { ...facts, ...(times && { administration_times: times }) } });
    } catch (error) {
      problem ??= error as Error;
    }
    printLeft(calibration);
    if (!problem) {
      progress.remove();
      return hasNoFindings;
    }
    if (!(problem instanceof StopError)) throw problem;
    const isStuck = problem.kind === 'limit' && !calibration.hasNewAnswers;
    const next =
      problem.kind === 'accepted'
        ? `delete ${progress.path} to start again, which may create one more`
        : isStuck
          ? 'the next question needs more; pass a larger --max-requests'
          : `run the same command again to go on (${progress.path})`;
    printProgress(`sachet: ${redactor.hide(problem.message)}; ${next}`);
    return hasNoFindings && problem.kind === 'limit' && !isStuck;
  };
  return interruptible(run, () => printLeft(calibration));
}
