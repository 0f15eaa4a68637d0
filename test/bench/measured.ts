// Measurements that are made up, measured as those of the benchmark are, and what is told of them.
import { benchModule } from './support.ts';

interface Figure {
  readonly id: string;
  readonly value?: { readonly median: number };
}
interface Told {
  readonly figures: readonly Figure[];
  readonly journals: readonly object[];
}
interface Context {
  readonly isQuick: boolean;
  readonly journals: object[];
}
interface Row {
  readonly name: string;
  readonly figures: readonly string[];
  measure(context: Context): object;
}
interface Measuring {
  measureAll(context: { isQuick: boolean }, rows: readonly Row[]): Promise<Told>;
}

const { measureAll } = await benchModule<Measuring>('measure-all.mjs');
export const { OutOfTime } = await benchModule<{ OutOfTime: new (words: string) => Error }>('out-of-time.mjs');
const { failuresOf } = await benchModule<{ failuresOf(report: object): string[] }>('report/failures.mjs');
const { notesOf } = await benchModule<{ notesOf(figures: readonly Figure[]): string[] }>('report/notes.mjs');

type Outcome = number | Error | { readonly median: number; readonly journal: object };

/** Measures orders, of which 0.08 are the least; each time the next of these comes of it, and the last one from then on. */
export async function measured(outcomes: readonly Outcome[], isQuick = true) {
  const made: string[] = [];
  const coming = [...outcomes];
  const orders = (context: Context): object => {
    made.push('orders');
    const outcome = (coming.length > 1 ? coming.shift() : coming[0]) as Outcome;
    if (outcome instanceof Error) throw outcome;
    const { median, journal } = typeof outcome === 'number' ? { median: outcome, journal: undefined } : outcome;
    if (journal) context.journals.push(journal);
    return { orders: { value: { median, min: median, max: median } } };
  };
  const start = (): object => {
    made.push('start');
    return { start: { value: { median: 2.5, min: 2.5, max: 2.5 } } };
  };
  const rows = [
    { name: 'orders', figures: ['orders'], measure: orders },
    { name: 'start', figures: ['start'], measure: start },
  ];
  const told = await measureAll({ isQuick }, rows);
  const notes = notesOf(told.figures).filter((note) => note.includes('measured'));
  return { ...told, made: made.join(' '), notes, failures: failuresOf({ isQuick, ...told }) };
}

export const medianOf = ({ figures }: Told) => figures[0]?.value?.median;
