// Finds the choices under which an answer is possible. Only assumptions that change the judgement are tried.
import type { AssumptionId, Choices } from '../contract/assumptions.ts';
import { Assumptions, internChoices } from '../contract/resolved-assumptions.ts';
import type { CallToJudge } from './call-to-judge.ts';
import { type Verdict, verdictsOf } from './possible-answers.ts';

/** The choices that an explanation needs: those of all other assumptions make no difference. */
export type PartialChoices = Readonly<Partial<Record<AssumptionId, string>>>;

/** The choices that are still possible, by assumption. */
export type Allowed = ReadonlyMap<AssumptionId, readonly string[]>;

interface Judgement {
  readonly isPossible: boolean;
  /** The verdict that is nearest to the recorded answer. */
  readonly best: Verdict;
  /** Differs between judgements that a further choice may turn into different ones. */
  readonly fingerprint: string;
  readonly used: ReadonlySet<AssumptionId>;
}

/** Of one call. A judgement takes the longer, the longer the call is, and a request with many faults most. */
const maxJudgements = 600;
const maxRequestCharacters = 400_000;
const maxAnswerCharacters = 40_000_000;

const nearestOf = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((one, other) => (other.problems.length < one.problems.length ? other : one));

export class Search {
  readonly #judged: CallToJudge;
  readonly #allowed: Allowed;
  readonly #times: readonly string[];
  readonly #judgements = new Map<string, Judgement>();
  readonly #most: number;
  /** False if the search ended early: then a choice without an explanation may have one. */
  isComplete = true;

  constructor(judged: CallToJudge, allowed: Allowed, times: readonly string[]) {
    this.#judged = judged;
    this.#allowed = allowed;
    this.#times = times;
    const { requestBody, responseBody } = judged.call;
    const forRequest = maxRequestCharacters / (requestBody?.length || 1);
    this.#most = Math.min(maxJudgements, forRequest, maxAnswerCharacters / (responseBody?.length || 1));
  }

  /** Every set of choices under which the answer is possible; empty if it is possible under none. */
  explanations(): PartialChoices[] {
    return [...this.#explanations({})];
  }

  /** Of the answers that were possible, the one nearest to the recorded one. */
  nearest(): Verdict {
    this.#judge({});
    return nearestOf(Array.from(this.#judgements.values(), ({ best }) => best));
  }

  *#explanations(fixed: PartialChoices): Generator<PartialChoices> {
    if (this.#judgements.size > this.#most) this.isComplete = false;
    if (!this.isComplete) return;
    const judgement = this.#judge(fixed);
    const deciding = [...judgement.used].find((id) => this.#decides(id, fixed, judgement));
    if (deciding !== undefined)
      for (const choice of this.#choicesOf(deciding)) yield* this.#explanations({ ...fixed, [deciding]: choice });
    else if (judgement.isPossible) yield fixed;
  }

  /** Whether another choice of this assumption changes the judgement. */
  #decides(id: AssumptionId, fixed: PartialChoices, { fingerprint }: Judgement): boolean {
    const choices = this.#choicesOf(id);
    if (id in fixed || choices.length < 2) return false;
    return choices.some((choice) => this.#judge({ ...fixed, [id]: choice }).fingerprint !== fingerprint);
  }

  #choicesOf = (id: AssumptionId): readonly string[] => this.#allowed.get(id) ?? [];

  #judge(fixed: PartialChoices): Judgement {
    const first = Array.from(this.#allowed, ([id, [choice]]) => [id, fixed[id] ?? choice]);
    const choices = internChoices(Object.fromEntries(first) as unknown as Choices);
    const key = Object.values(choices).join();
    const known = this.#judgements.get(key);
    if (known) return known;
    const assumptions = new Assumptions(choices, this.#times);
    const verdicts = verdictsOf(this.#judged, assumptions);
    const best = nearestOf(verdicts);
    const isPossible = best.problems.length === 0;
    const { status: recorded } = this.#judged.call;
    const parts = verdicts
      .filter(({ status, isTelling }) => status === recorded || isTelling)
      .map(({ rules, status, limit, problems }) => [rules, limit, status === recorded ? problems : []]);
    const fingerprint = isPossible ? 'possible' : JSON.stringify(parts);
    const judgement = { isPossible, best, fingerprint, used: assumptions.used };
    this.#judgements.set(key, judgement);
    return judgement;
  }
}
