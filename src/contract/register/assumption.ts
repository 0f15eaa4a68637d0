/** One gap of the contract. `readings` are pairs of the reading's name and its gloss; the first is the default. */
export interface Assumption {
  readonly question: string;
  readonly choices: readonly (readonly [choice: string, gloss: string])[];
}
