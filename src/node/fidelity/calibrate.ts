// `sachet calibrate`: asks a service the requests of the probes that are still open, and learns from its answers.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { namesIn } from '../../contract/addresses.ts';
import { type AssumptionId, assumptionIds, assumptionRegister } from '../../contract/assumptions.ts';
import { callInWords, openingCalls, type Probe, type ProbeCall, probeMark } from '../../contract/probes.ts';
import { once } from '../../contract/schema.ts';
import { Learner } from '../../fidelity/learner.ts';
import type { RecordedCall } from '../../fidelity/recorded-call.ts';
import { jsonValueOf, Redactor } from '../../journal/redaction.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { randomSecret, requestId } from '../../system/random.ts';
import { type Outputs, prepareOutputs } from '../cli/results.ts';
import { printProgress } from '../client-output.ts';
import { loadConfig } from '../load-files.ts';
import { nodeHashes } from '../platform.ts';
import { printable } from '../printable.ts';
import { MaxRequestsError, NoAnswerError, ProbeSender, type SenderOptions, StopError } from './probe-sender.ts';
import { ProgressFile } from './progress-file.ts';
import { casesOfReport, checkConfigFile, textOfReport, withEarlier, writeConfig } from './report.ts';

export interface CalibrateFlags extends Outputs, SenderOptions {
  readonly username: string;
  /** The variable that has the password. */
  readonly passwordEnv: string;
  readonly allowWrites: boolean;
  readonly plan: boolean;
  /** Empty: all. */
  readonly only: readonly AssumptionId[];
  /** Values of placeholders, by name. */
  readonly known: Readonly<Record<string, string>>;
  /** The file of an earlier config. */
  readonly config?: string;
  /** The file for the new one. */
  readonly out: string;
}

/** An assumption with the probe that decides it. */
type Step = Probe & { readonly id: AssumptionId };

/** The probes that the flags select, those that write last. */
function stepsOf({ only, allowWrites }: CalibrateFlags): readonly Step[] {
  const steps = assumptionIds.flatMap((id): Step[] => {
    const { probe } = assumptionRegister[id];
    return 'unobservable' in probe || (only.length > 0 && !only.includes(id)) ? [] : [{ id, ...probe }];
  });
  const reads = steps.filter(({ writes }) => !writes);
  return allowWrites ? [...reads, ...steps.filter(({ writes }) => writes)] : reads;
}

/** The parts of answers that later requests need. */
const answerParts = once(() =>
  z
    .object({
      access_token: z.string(),
      refresh_token: z.string(),
      client_products: z.array(z.object({ id: z.string(), active: z.boolean() })),
      order: z.object({ id: z.string(), status: z.string(), consumer: z.object({ id: z.string() }) }),
    })
    .partial(),
);
type AnswerParts = z.output<ReturnType<typeof answerParts>>;

/** An order that the run created. */
interface CreatedOrder {
  readonly id: string;
  readonly status: string;
  readonly consumer: { readonly id: string };
}

/** The name of a request in the progress file. */
const keyOf = (call: ProbeCall): string => JSON.stringify({ ...call, note: undefined });

class Calibration {
  readonly learner: Learner;
  /** By id, the newest state of each order that this run or an earlier one created. */
  readonly created = new Map<string, CreatedOrder>();
  readonly #flags: CalibrateFlags;
  readonly #sender: ProbeSender;
  readonly #answered = new Set<string>();
  readonly #values: Map<string, string>;
  #asked: ProbeCall | undefined;

  constructor(
    flags: CalibrateFlags,
    password: string,
    redactor: Redactor,
    progress: ProgressFile,
    signal: AbortSignal,
  ) {
    this.learner = new Learner(redactor);
    this.#flags = flags;
    const own = { username: flags.username, password, email: progress.head.email, unknown: randomUUID() };
    this.#values = new Map(Object.entries(own));
    for (const [name, value] of Object.entries(flags.known)) this.learner.known.set(name, value);
    for (const { request, call } of progress.exchanges) this.#learn(request, call);
    // The file has tags in their place.
    for (const secret of ['access_token', 'refresh_token', 'replaced']) this.#values.delete(secret);
    this.#sender = new ProbeSender(flags, signal, (answer) => {
      if (!this.#asked) return;
      printProgress(`${callInWords(this.#asked)} → ${answer.status}`);
      progress.append(keyOf(this.#asked), answer);
      this.#learn(keyOf(this.#asked), answer);
    });
  }

  /** Asks everything that is open. @throws StopError */
  async run(): Promise<void> {
    await this.#open();
    const steps = stepsOf(this.#flags);
    for (const step of steps.filter(({ writes }) => !writes)) await this.#settle(step);
    const writing = steps.filter(({ id, writes }) => writes && this.#isOpen(id));
    const count = new Set(writing.flatMap(({ calls }) => calls.map(keyOf))).size;
    const email = this.#values.get('email');
    if (count > 0)
      printProgress(`Creates up to ${count} orders for consumers named "${probeMark}" with email ${email}`);
    for (const step of writing) await this.#settle(step);
    await this.#cancelOrders();
  }

  /** The values that a request needs, and that no answer had. */
  #missing(call: ProbeCall): string[] {
    const names = namesIn(call.path + JSON.stringify(call.body ?? null));
    const token = { valid: ['access_token'], replaced: ['replaced'], none: [], malformed: [] }[call.token ?? 'valid'];
    return [...names, ...token].filter((name) => {
      const value = this.#valueFor(name);
      return value === undefined || (name === 'label_url' && !/^https?:\/\//.test(value));
    });
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

  async #settle({ id, calls, writes }: Step): Promise<void> {
    let last: RecordedCall | undefined;
    for (const call of calls) {
      if (!this.#isOpen(id)) return;
      const problem = this.#problemOf(call, last);
      if (problem !== undefined) return printProgress(`${id} stays open: ${problem}`);
      try {
        last = await this.#ask(call, writes);
      } catch (error) {
        // The label is on another host.
        if (!(error instanceof NoAnswerError) || call.path.startsWith('/')) throw error;
        return printProgress(`${id} stays open: ${error.message}`);
      }
    }
  }

  /** Why a request cannot be sent. @param last the answer to the request before it */
  #problemOf(call: ProbeCall, last: RecordedCall | undefined): string | undefined {
    if (call.isAfterRefusal && (last?.status ?? 0) < 400)
      return `it takes ${call.note}, but this one can be read; pass another one with --known`;
    const [missing] = this.#missing(call);
    return missing && `no answer had its {${missing}}; if you know one, pass --known ${missing}=value`;
  }

  readonly #isOpen = (id: AssumptionId): boolean => this.learner.allowed(id).length > 1;

  /** Sends a request, unless it has an answer. */
  async #ask(call: ProbeCall, mayCreate = false): Promise<RecordedCall | undefined> {
    if (!call.isFresh && this.#answered.has(keyOf(call))) return undefined;
    this.#asked = call;
    const answer = await this.#sender.send(call, (name) => this.#valueFor(name) ?? '');
    if (mayCreate || answer.status >= 300 || call.method === 'GET' || answer.path !== '/v2/orders') return answer;
    await this.#cancelOrders();
    throw new StopError(
      `the service accepted ${callInWords(call)}, which it should refuse; the run ends so that it creates no more orders`,
    );
  }

  async #cancelOrders(): Promise<void> {
    if (!this.learner.allowed('order_endpoints').includes('assumed')) return;
    for (const { id, status } of this.created.values())
      if (status !== 'Canceled') await this.#ask({ method: 'POST', path: `/v2/orders/${id}/cancel` }, true);
  }

  #learn(request: string, call: RecordedCall): void {
    this.learner.add(call, this.#flags.target);
    if (call.status < 500 && call.status !== 429) this.#answered.add(request);
    const { data = {} } = answerParts().safeParse(jsonValueOf(call.responseBody ?? null));
    if (call.status < 300) this.#keep(call, data);
  }

  #keep(
    { method, path }: RecordedCall,
    { access_token, refresh_token, client_products: products, order }: AnswerParts,
  ) {
    const set = (name: string, value: string | undefined) => value !== undefined && this.#values.set(name, value);
    if (path.endsWith('/refresh-token')) set('replaced', this.#values.get('access_token'));
    set('access_token', access_token);
    set('refresh_token', refresh_token);
    set('product', products?.find(({ active }) => active)?.id);
    set('inactive_product', products?.find(({ active }) => !active)?.id);
    if (order && method === 'POST') this.created.set(order.id, order);
  }

  #valueFor(name: string): string | undefined {
    return this.#flags.known[name] ?? this.#values.get(name) ?? this.learner.known.get(name);
  }
}

/** The requests of a run in their order, with their placeholders. */
function planOf(flags: CalibrateFlags): string {
  const seen = new Set<string>();
  const requests = (calls: readonly ProbeCall[]) =>
    calls.flatMap((call) => {
      if (!call.isFresh && seen.has(keyOf(call))) return [];
      seen.add(keyOf(call));
      const body = call.raw ?? (call.body === undefined ? '' : JSON.stringify(call.body));
      return [`  ${callInWords(call)}`, ...(body ? [`    ${body}`] : [])];
    });
  const steps = stepsOf(flags);
  return [
    `Connects to ${flags.target}, and to the {label_url} that it gives. Sends, unless earlier answers decide:`,
    ...requests(openingCalls),
    ...steps.flatMap(({ id, calls, writes }) => [writes ? `${id} (creates an order)` : id, ...requests(calls)]),
    ...(flags.allowWrites ? ['Cancels the created orders, if the service offers it.'] : []),
    '',
  ].join('\n');
}

/** @throws UsageError */
function passwordOf({ passwordEnv }: CalibrateFlags): string {
  const password = process.env[passwordEnv];
  if (password) return password;
  throw new UsageError(`the variable ${passwordEnv} of --password-env has no value; set it to the password`);
}

/**
 * Runs the command.
 * @returns whether the run ended well and without findings
 */
export async function runCalibrateCommand(flags: CalibrateFlags): Promise<boolean> {
  if (flags.plan) {
    process.stdout.write(planOf(flags));
    return true;
  }
  const password = passwordOf(flags);
  const earlier = flags.config === undefined ? undefined : loadConfig(flags.config);
  checkConfigFile(flags.out);
  const print = prepareOutputs(flags);
  const redactor = new Redactor(nodeHashes, randomSecret());
  const email = `sachet-probe+${requestId(10)}@example.com`;
  const progress = new ProgressFile(`${flags.out}.progress`, { target: flags.target, email }, redactor);
  const stop = new AbortController();
  const abort = () => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, abort);
  const calibration = new Calibration(flags, password, redactor, progress, stop.signal);
  const problem = await calibration.run().catch((error: unknown) => error as Error);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, abort);
  const { report, contradicted } = withEarlier(calibration.learner.report(), earlier);
  const text = `${textOfReport(report)}\nConfig: ${printable(flags.out)}\n`;
  print({ suite: 'sachet calibrate', cases: casesOfReport(report, 'sachet.calibrate'), document: report, text });
  for (const sentence of contradicted) printProgress(`sachet: ${sentence}`);
  writeConfig(flags.out, report, earlier);
  for (const { id, status, consumer } of calibration.created.values())
    printProgress(`Left in the service: order ${id} (${status}) of consumer ${consumer.id}`);
  if (!problem) progress.remove();
  else if (!(problem instanceof StopError)) throw problem;
  else printProgress(`sachet: ${problem.message}; run the same command again to go on (${progress.path})`);
  return (!problem || problem instanceof MaxRequestsError) && report.findings.length === 0;
}
