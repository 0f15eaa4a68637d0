// Makes the measurements one after the other; one that fails is told as failed, and the others go on.
import { goals } from './goals.mjs';
import { faultOfJournal } from './service/journal.mjs';
import { judge } from './verdict.mjs';

/** @returns `{ figures, journals }`: of each figure its goal with what was measured, or why it could not be */
export async function measureAll(context, measurements) {
  const figures = [];
  const journals = [];
  for (const row of measurements) {
    process.stderr.write(`measuring ${row.name}\n`);
    const seen = [];
    const measured = await measureOne(row, { ...context, journals: seen });
    for (const id of row.figures) figures.push(figureOf(id, row.name, measured[id] ?? measured));
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
