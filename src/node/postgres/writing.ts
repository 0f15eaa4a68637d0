// A change list as the database keeps it: its text, and the rows that it leaves in each epoch that it writes.
import { asMade, type Change, lastingOf, type Root, type ValueName } from '../../state/root.ts';
import type { Roots } from '../../state/store.ts';

/** Under this in front of its name a value stands among the rows. */
export const valueMark = '=';

/** A row that is written; its epoch counts from the one that the sandbox is in. */
export interface WrittenRow {
  readonly epoch: number;
  readonly place: string;
  readonly sequence: number;
  /** JSON; null where it is taken out. */
  readonly row: string | null;
}

/** An epoch that is begun: upon another one, upon a snapshot from before, or upon nothing. */
export interface BegunEpoch {
  readonly epoch: number;
  readonly parent: number | { readonly snapshot: string } | null;
}

export interface KeptSnapshot {
  readonly name: string;
  readonly epoch: number;
  readonly at: number;
}

type SomeValues = Partial<Record<ValueName, unknown>>;

/** What a change list does to the tables of the database. */
export class Writing {
  /** The change list as JSON. */
  readonly text: string;
  readonly begun: BegunEpoch[] = [];
  readonly #rows = new Map<string, WrittenRow>();
  readonly #kept = new Map<string, KeptSnapshot>();
  readonly #dropped = new Set<string>();
  /** Whether epochs may have become nobody's. */
  leavesEpochs = false;
  /** Whether the sandbox begins anew: its journal with it. */
  isReset = false;
  #epoch = 0;
  /** Values as the changes before have left them, where they were written since; all others are those of the root before. */
  #values: SomeValues;
  readonly #keptValues = new Map<string, SomeValues>();

  constructor(changes: Iterable<Change>, { from }: Pick<Roots, 'from'>) {
    this.#values = { ...from?.values };
    const texts: string[] = [];
    for (const change of changes) texts.push(this.#add(change, from));
    this.text = `[${texts.join(',')}]`;
  }

  get rows(): readonly WrittenRow[] {
    return [...this.#rows.values()];
  }

  get kept(): readonly KeptSnapshot[] {
    return [...this.#kept.values()];
  }

  get dropped(): readonly string[] {
    return [...this.#dropped];
  }

  /** How many epochs are begun. */
  get epochs(): number {
    return this.#epoch;
  }

  /** Gives the change as JSON: a row is written as a text once. */
  #add(change: Change, from: Root | undefined): string {
    if ('table' in change) {
      const { table, sequence, row } = change;
      const text = row === null ? null : JSON.stringify(row);
      this.#put(table, sequence, text);
      return `{"table":"${table}","sequence":${sequence},"row":${text}}`;
    }
    if ('value' in change) return this.#setValue(change.value, change.to);
    if ('keep' in change) this.#keep(change.keep, change.at);
    else if ('drop' in change) this.#drop(change.drop);
    else if ('restore' in change) this.#restore(change.restore, from);
    else this.#empty();
    return JSON.stringify(change);
  }

  #put(place: string, sequence: number, row: string | null): void {
    const epoch = this.#epoch;
    this.#rows.set(`${epoch} ${place} ${sequence}`, { epoch, place, sequence, row });
  }

  #setValue(value: ValueName, to: unknown): string {
    this.#values[value] = to;
    const text = JSON.stringify(to);
    this.#put(valueMark + value, 0, text);
    return `{"value":"${value}","to":${text}}`;
  }

  #begin(parent: BegunEpoch['parent']): void {
    this.#epoch += 1;
    this.begun.push({ epoch: this.#epoch, parent });
  }

  #keep(name: string, at: number): void {
    this.#dropped.delete(name);
    this.#kept.set(name, { name, epoch: this.#epoch, at });
    this.#keptValues.set(name, { ...this.#values });
    this.#begin(this.#epoch);
  }

  #drop(name: string): void {
    this.#kept.delete(name);
    this.#dropped.add(name);
    this.leavesEpochs = true;
  }

  #restore(name: string, from: Root | undefined): void {
    const lasting = lastingOf(this.#values);
    this.#begin(this.#kept.get(name)?.epoch ?? { snapshot: name });
    const values = this.#keptValues.get(name) ?? from?.snapshots.get(name)?.values;
    this.#values = { ...values, ...lasting };
    for (const [value, to] of Object.entries(lasting)) this.#put(valueMark + value, 0, JSON.stringify(to));
    this.leavesEpochs = true;
    if (name === asMade) this.isReset = true;
  }

  /** The tables are empty from here on; the values stay. */
  #empty(): void {
    this.#begin(null);
    for (const [value, to] of Object.entries(this.#values)) this.#put(valueMark + value, 0, JSON.stringify(to));
    this.leavesEpochs = true;
  }
}
