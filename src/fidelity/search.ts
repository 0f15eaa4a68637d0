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
  readonly used: ReadonlySet<AssumptionId>;
}

/** More judgements of one call are not made: then its answer contradicts the contract, not a choice. */
const maxJudgements = 2000;
const maxCombinations = 500;

export class Search {
  readonly #judged: CallToJudge;
  readonly #allowed: Allowed;
  readonly #times: readonly string[];
  readonly #judgements = new Map<string, Judgement>();

  constructor(judged: CallToJudge, allowed: Allowed, times: readonly string[]) {
    this.#judged = judged;
    this.#allowed = allowed;
    this.#times = times;
  }

  /** Every set of choices under which the answer is possible; empty if it is possible under none. */
  explanations(): PartialChoices[] {
    const found = [...this.#explanations({})];
    return found.length > 0 ? found : [...this.#combinations()];
  }

  /** Of the answers that were possible, the one nearest to the recorded one. */
  nearest(): Verdict {
    this.#judge({});
    const bests = Array.from(this.#judgements.values(), ({ best }) => best);
    return bests.reduce((one, other) => (other.problems.length < one.problems.length ? other : one));
  }

  *#explanations(fixed: PartialChoices): Generator<PartialChoices> {
    if (this.#judgements.size > maxJudgements) return;
    const judgement = this.#judge(fixed);
    const deciding = [...judgement.used].find((id) => this.#decides(id, fixed, judgement));
    if (deciding !== undefined)
      for (const choice of this.#choicesOf(deciding)) yield* this.#explanations({ ...fixed, [deciding]: choice });
    else if (judgement.isPossible) yield fixed;
  }

  /** Whether another choice of this assumption changes the judgement. */
  #decides(id: AssumptionId, fixed: PartialChoices, { best, isPossible }: Judgement): boolean {
    const choices = this.#choicesOf(id);
    if (id in fixed || choices.length < 2) return false;
    return choices.some((choice) => {
      const other = this.#judge({ ...fixed, [id]: choice });
      return other.isPossible !== isPossible || other.best.problems.join() !== best.problems.join();
    });
  }

  /** All combinations of the used assumptions: two may only together make a difference (a maximum, and its refusal). */
  *#combinations(): Generator<PartialChoices> {
    const ids = [...this.#judge({}).used].filter((id) => this.#choicesOf(id).length > 1);
    const count = ids.reduce((product, id) => product * this.#choicesOf(id).length, 1);
    if (count > maxCombinations) return;
    let all: PartialChoices[] = [{}];
    for (const id of ids) all = all.flatMap((one) => this.#choicesOf(id).map((choice) => ({ ...one, [id]: choice })));
    yield* all.filter((one) => this.#judge(one).isPossible);
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
    const best = verdicts.reduce((one, other) => (other.problems.length < one.problems.length ? other : one));
    const judgement = { isPossible: best.problems.length === 0, best, used: assumptions.used };
    this.#judgements.set(key, judgement);
    return judgement;
  }
}
