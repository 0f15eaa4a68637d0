// Makes the measurements one after the other; one that fails is told as failed, and the others go on.
import { goals } from './goals.mjs';
import { briefOf } from './report/figure.mjs';
import { faultOfJournal } from './service/journal.mjs';
import { judge } from './verdict.mjs';

/** @returns `{ figures, journals }`: of each figure its goal with what was measured, or why it could not be */
export async function measureAll(context, measurements) {
  const figures = [];
  const journals = [];
  for (const [at, row] of measurements.entries()) {
    process.stderr.write(`measuring ${row.name} (${at + 1} of ${measurements.length})\n`);
    const seen = [];
    const measured = await measureOne(row, { ...context, journals: seen });
    const made = row.figures.map((id) => figureOf(id, row.name, measured[id] ?? measured));
    for (const figure of made) process.stderr.write(`  ${briefOf(figure)}\n`);
    figures.push(...made);
    for (const told of seen) journals.push({ measurement: row.name, ...told, fault: faultOfJournal(told) });
  }
  return { figures, journals };
}

async function measureOne({ measure }, context) {
  try {
    return await measure(context);
  } catch (error) {
    return { failed: error.message };
  }
}

function figureOf(id, measurement, { failed, unavailable, ...measured }) {
  const goal = goals.find((row) => row.id === id);
  if (failed !== undefined) return { ...goal, measurement, failed };
  if (unavailable !== undefined) return { ...goal, measurement, unavailable };
  return { ...goal, measurement, ...measured, verdict: judge(goal, measured.value) };
}
