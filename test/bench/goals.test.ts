// The benchmark's data: goals, what is usual, and the plan name the same figures.
import { expect, test } from 'vitest';
import { benchModule } from './support.ts';

interface Goal {
  readonly id: string;
  readonly bound?: number;
  readonly usual?: number;
}
interface Planned {
  readonly figures: readonly string[];
  readonly quick?: boolean;
}

const { goals } = await benchModule<{ goals: readonly Goal[] }>('goals.mjs');
const { usual } = await benchModule<{ usual: Record<string, object> }>('usual.mjs');
const { plan } = await benchModule<{ plan: readonly Planned[] }>('plan.mjs');

const idsOf = (rows: readonly Planned[]): string[] => rows.flatMap(({ figures }) => figures).sort();

test('every figure is measured once', () => {
  expect(idsOf(plan)).toEqual(goals.map(({ id }) => id).sort());
});

test('of each figure that --quick judges it is known what is usual', () => {
  const judged = goals.filter(({ bound }) => bound !== undefined).map(({ id }) => id);
  const quick = idsOf(plan.filter((row) => row.quick)).filter((id) => judged.includes(id));
  expect(Object.keys(usual).sort()).toEqual(quick);
});
