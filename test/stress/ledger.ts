// What writers of a server were told stands, and what of it does not.

/** An order as a list has it. */
export interface Listed {
  readonly id: string;
  readonly mark: string;
}

export class Ledger {
  /** Marks by ids. */
  readonly #orders = new Map<string, string>();
  /** By what it is of; undefined while an answer is waited for, or where none came. */
  readonly #values = new Map<string, string | undefined>();
  #acknowledged = 0;
  /** Marks of orders that an acknowledged reset has taken. */
  readonly #taken = new Set<string>();

  get acknowledged(): number {
    return this.#acknowledged;
  }

  ordered(id: string, mark: string): void {
    this.#acknowledged += 1;
    this.#orders.set(id, mark);
  }

  /** Asks for a value, which is known once that is answered. */
  async ask(what: string, value: string, asking: () => Promise<unknown>): Promise<void> {
    this.#values.set(what, undefined);
    await asking();
    this.#acknowledged += 1;
    this.#values.set(what, value);
  }

  /** Nothing is known of it any more. */
  forget(what: string): void {
    this.#values.delete(what);
  }

  /** All orders were taken away. */
  reset(): void {
    for (const mark of this.#orders.values()) this.#taken.add(mark);
    this.#orders.clear();
  }

  /** What is known to have this value. */
  having(value: string): string[] {
    return [...this.#values].filter(([, known]) => known === value).map(([what]) => what);
  }

  /** The orders that are not there, each a sentence; those that no answer told of may be there. */
  lost(listed: readonly Listed[]): string[] {
    const there = new Map(listed.map(({ id, mark }) => [id, mark]));
    const missing = [...this.#orders].filter(([id, mark]) => there.get(id) !== mark);
    return missing.map(([id, mark]) => `the order ${id} of ${mark}`);
  }

  /** The orders that are there twice, or again. */
  doubled(listed: readonly Listed[]): string[] {
    const twice = [...repeated(listed.map(({ id }) => id)), ...repeated(listed.map(({ mark }) => mark))];
    return [...twice, ...listed.map(({ mark }) => mark).filter((mark) => this.#taken.has(mark))];
  }

  /** The values that are not those that were acknowledged. @param found by what it is of */
  astray(found: ReadonlyMap<string, string>, otherwise: string): string[] {
    const known = [...this.#values].filter(([, value]) => value !== undefined);
    const wrong = known.filter(([what, value]) => (found.get(what) ?? otherwise) !== value);
    return wrong.map(([what, value]) => `${what} is ${found.get(what) ?? otherwise}, not ${value}`);
  }
}

const repeated = (texts: readonly string[]): string[] => texts.filter((text, at) => texts.indexOf(text) !== at);
