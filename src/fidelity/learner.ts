// Reads recorded calls and finds the choices that their answers allow.
import { LRUCache } from 'lru-cache';
import { type AssumptionId, assumptionIds, assumptionRegister } from '../contract/assumptions.ts';
import { type Evidence, type Finding, type LearnedReport, settledChoice } from '../contract/observations.ts';
import { nextOf } from '../contract/probes.ts';
import type { TextRedactor } from '../journal/redaction.ts';
import { type CallToJudge, callToJudge, type FoundOperation, operationOf, timesFor } from './call-to-judge.ts';
import { History } from './history.ts';
import { textOf } from './json-parts.ts';
import type { Verdict } from './possible-answers.ts';
import { bearerOf, type RecordedCall } from './recorded-call.ts';
import { type Allowed, type PartialChoices, Search } from './search.ts';

/** Explanations of one answer: at least one of these sets of choices is the service's. */
interface Constraint {
  readonly explanations: readonly PartialChoices[];
  readonly evidence: Evidence;
}

/** Of the calls that are judged at the end. */
const maxLater = 500;
const tooOpen = 'too many assumptions are open to judge it';
/** A shorter secret could be a part of any text. */
const minSecretCharacters = 4;
const maxSecrets = 1000;

/** The same for problems that differ in quoted values, such as the id of a request. */
const withoutValues = (value: unknown): string => JSON.stringify(value).replaceAll(/\\"(?:[^"\\]|\\[^"])*\\"/g, '""');

type Contradiction = Pick<Verdict, 'rules' | 'problems'>;

const allChoices: Allowed = new Map(
  assumptionIds.map((id) => [id, assumptionRegister[id].choices.map(([name]) => name)]),
);

/** The recording does not show whether the call had a token. */
const isTokenless = ({ token, call }: CallToJudge): boolean =>
  token === 'unknown' && !call.requestHeaders.has('authorization');

/** Kept of each report: a service that differs everywhere must not fill the memory. */
const maxFindings = 200;
const maxFailures = 50;
const shownCharacters = 2000;

/**
 * Judges recorded calls one after the other, in the order in which they were made.
 * @example
 * const learner = new Learner(redactor);
 * for (const call of calls) learner.add(call, 'real.har');
 * const { observations, findings } = learner.report();
 */
export class Learner {
  readonly #redactor: TextRedactor;
  readonly #history = new History();
  readonly #allowed = new Map(allChoices);
  readonly #evidence = new Map<AssumptionId, Evidence>();
  /** By their explanations, because many answers have the same. */
  readonly #constraints = new Map<string, Constraint>();
  readonly #findings = new Map<string, Finding>();
  /** How many findings the calls with the same problems of their first judgement gave one after the other. */
  readonly #failures = new LRUCache<string, number>({ max: 1000 });
  readonly #skipped: Record<string, number> = {};
  /** Calls that later ones help to judge: refused ones without a token, and those with too many open assumptions. */
  #later: CallToJudge[] = [];
  /** Passwords and tokens of the recording, which the service may repeat in its words. */
  readonly #secrets = new Set<string>();
  #calls = 0;

  /** @param redactor removes secrets from findings */
  constructor(redactor: TextRedactor) {
    this.#redactor = redactor;
  }

  /** The latest values that the answers had, by the name that a probe uses: `access_token`, `product`, `order`, … */
  get known(): Map<string, string> {
    return this.#history.known;
  }

  /** The choices that no answer so far contradicts. */
  allowed(id: AssumptionId): readonly string[] {
    return this.#allowed.get(id) ?? [];
  }

  /** @param source the file of the recording, or the URL of the service */
  add(call: RecordedCall, source: string): void {
    const found = operationOf(call);
    if (!found) this.#addOther(call, source);
    else if (call.status === 304) this.#skip('answered from a cache');
    else if (call.responseHeaders.has('sandbox-fault')) this.#skip('made by a switch or fault of a sandbox');
    else this.#addFound(call, found, source);
  }

  #addFound(call: RecordedCall, found: FoundOperation, source: string): void {
    this.#calls += 1;
    const judged = callToJudge(call, found, this.#history, source);
    this.#keepSecrets(judged);
    this.#history.arrive(judged);
    const mayBeStripped = call.status === 401 && isTokenless(judged) && found.operation.permission !== null;
    if (mayBeStripped || !this.#judge(judged)) {
      // What the recording shows later must not count for this call.
      if (this.#later.length < maxLater) this.#later.push({ ...judged, history: new History() });
      else this.#skip(tooOpen);
    }
    this.#history.add(judged);
  }

  #keepSecrets({ call, body, answer }: CallToJudge): void {
    const names = ['password', 'access_token', 'refresh_token'];
    const inFields = names.flatMap((name) => [textOf(body, name), textOf(answer, name)]);
    for (const secret of [bearerOf(call), ...inFields])
      if (secret && secret.length >= minSecretCharacters && this.#secrets.size < maxSecrets) this.#secrets.add(secret);
  }

  report(): LearnedReport {
    let before = Number.POSITIVE_INFINITY;
    while (this.#later.length < before) {
      before = this.#later.length;
      this.#later = this.#later.filter((judged) => {
        const token = isTokenless(judged) ? this.#history.tokenState(judged.call, judged.source) : judged.token;
        return !this.#judge({ ...judged, token });
      });
    }
    const { administrationTimes, pageSize } = this.#history;
    return {
      calls: this.#calls,
      skipped: { ...this.#skipped, ...(before > 0 && { [tooOpen]: before + (this.#skipped[tooOpen] ?? 0) }) },
      observations: assumptionIds.map((id) => this.#observation(id)),
      findings: Array.from(this.#findings.values(), (finding) => this.#hideSecrets(finding)),
      facts: {
        ...(administrationTimes && { administration_times: [...administrationTimes] }),
        ...(pageSize !== undefined && { page_size: pageSize }),
      },
    };
  }

  #observation(id: AssumptionId) {
    const allowed = [...this.allowed(id)];
    const evidence = this.#evidence.get(id) ?? null;
    const { question, probe } = assumptionRegister[id];
    const isOpen = settledChoice({ allowed, evidence }) === undefined;
    return { assumption: id, question, allowed, evidence, next: isOpen ? nextOf(probe) : null };
  }

  /** Counts a call that is not judged. */
  #skip(reason: string): true {
    this.#skipped[reason] = (this.#skipped[reason] ?? 0) + 1;
    return true;
  }

  /** Longer secrets first: one may be a part of another. */
  #hideSecrets(finding: Finding): Finding {
    const secrets = [...this.#secrets].sort((one, other) => other.length - one.length);
    const hide = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
    const { problems, request, answer } = finding;
    return { ...finding, problems: problems.map(hide), request: hide(request), answer: hide(answer) };
  }

  /** Returns false if too many assumptions are open: later calls may decide some of them. */
  #judge(judged: CallToJudge): boolean {
    const { call, source, operation, bodyFault } = judged;
    if (call.responseBody === undefined) return this.#skip('the recording does not have the body of the answer');
    if (operation.body && bodyFault === 'unknown' && call.status >= 400)
      return this.#skip('the recording does not have the body of the request');
    const times = timesFor(judged, this.#history.administrationTimes);
    const search = new Search(judged, this.#allowed, times);
    // A service that differs everywhere must not cost a search per call.
    const symptom = withoutValues([operation.id, call.status, search.nearest()]);
    const failures = this.#failures.get(symptom) ?? 0;
    if (failures >= maxFailures) return this.#skip('like calls that are findings');
    const explanations = search.explanations();
    if (!search.isComplete) return false;
    this.#failures.set(symptom, explanations.length > 0 ? 0 : failures + 1);
    if (explanations.length > 0) this.#constrain({ explanations, evidence: this.#evidenceOf(call, source) });
    else this.#find(judged, this.#contradicted(judged, times) ?? search.nearest());
    return true;
  }

  /** The settled assumptions that the answer contradicts; undefined if it is possible under no choice at all. */
  #contradicted(judged: CallToJudge, times: readonly string[]): Contradiction | undefined {
    const isNew = ([id, choice]: readonly [AssumptionId, string]) => !this.allowed(id).includes(choice);
    const [nearest] = new Search(judged, allChoices, times)
      .explanations()
      .map((one) => (Object.entries(one) as [AssumptionId, string][]).filter(isNew))
      .sort((one, other) => one.length - other.length);
    if (!nearest) return undefined;
    const problems = nearest.map(([id, choice]) => {
      const { call, at } = this.#evidence.get(id) ?? {};
      return `${id} is ${choice} here, and was ${this.allowed(id).join(' or ')} before (${call}, ${at})`;
    });
    return { rules: nearest.map(([id]) => id), problems };
  }

  /** Excludes the choices that no explanation has. Keeps what says more than that. */
  #constrain(constraint: Constraint): void {
    const { explanations, evidence } = constraint;
    const [first = {}] = explanations;
    for (const id of Object.keys(first) as AssumptionId[]) {
      // An explanation without the assumption allows all of its choices.
      const choices = explanations.map((one) => one[id]);
      if (!choices.includes(undefined)) this.#exclude(id, choices as string[], evidence);
    }
    const key = JSON.stringify(explanations);
    const saysMore = explanations.length > 1 && Object.keys(first).length > 1;
    if (saysMore && !this.#constraints.has(key)) this.#constraints.set(key, constraint);
  }

  #exclude(id: AssumptionId, choices: readonly string[], evidence: Evidence): void {
    const before = this.allowed(id);
    const left = before.filter((choice) => choices.includes(choice));
    if (left.length === before.length || left.length === 0) return;
    this.#allowed.set(id, left);
    this.#evidence.set(id, evidence);
    // What one answer left open may now be decided.
    for (const [key, constraint] of this.#constraints) {
      const explanations = constraint.explanations.filter((one) => one[id] === undefined || left.includes(one[id]));
      if (explanations.length === constraint.explanations.length || explanations.length === 0) continue;
      this.#constraints.delete(key);
      this.#constrain({ ...constraint, explanations });
    }
  }

  #find({ call, source, operation }: CallToJudge, { rules, problems }: Contradiction): void {
    const key = withoutValues([operation.id, rules, problems]);
    const known = this.#findings.get(key);
    const target = this.#redactor.text(call.path) + this.#redactor.query(call.query);
    if (known) this.#findings.set(key, { ...known, count: known.count + 1 });
    else if (this.#findings.size >= maxFindings) this.#skip('more findings');
    else
      this.#findings.set(key, {
        rules: [...rules],
        problems: problems.map((problem) => this.#redactor.text(problem)),
        count: 1,
        evidence: this.#evidenceOf(call, source),
        request: `${call.method} ${target}${this.#shown(call.requestBody)}`,
        answer: `${call.status}${this.#shown(call.responseBody)}`,
      });
  }

  #shown(body: string | null | undefined): string {
    return body ? ` ${this.#redactor.body(body).slice(0, shownCharacters)}` : '';
  }

  #evidenceOf({ at, method, path, status }: RecordedCall, source: string): Evidence {
    return { at: new Date(at).toISOString(), source, call: `${method} ${this.#redactor.text(path)} → ${status}` };
  }

  /** A call outside the contract, or the download of a label. */
  #addOther(call: RecordedCall, source: string): void {
    const isLabel = this.#history.labels.has(call.baseUrl + call.path) && call.requestHeaders.has('authorization');
    if (!isLabel && call.path.startsWith('/v2/')) this.#skip('a path or method that the contract does not have');
    if (!isLabel) return;
    this.#calls += 1;
    const choice = { 200: 'ignore', 400: 'reject' }[call.status];
    if (choice) this.#exclude('storage_auth', [choice], this.#evidenceOf(call, source));
  }
}
