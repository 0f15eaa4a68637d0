// Makes the measurements one after the other; one that fails is told as failed, and the others go on.
import { goals } from './goals.mjs';
import { OutOfTime } from './out-of-time.mjs';
import { briefOf } from './report/figure.mjs';
import { faultOfJournal } from './service/journal.mjs';
import { chosen, isToTryAgain, mostTries } from './tries.mjs';
import { judge } from './verdict.mjs';

/** @returns `{ figures, journals }`: of each figure its goal with what was measured, or why it could not be; the journals of all tries */
export async function measureAll(context, measurements) {
  const all = measurements.map((row) => ({ row, tries: [] }));
  await tryEach(all, context, 1);
  // Behind all the others, not at once: what disturbed it may be over by then.
  for (let turn = 2; context.isQuick && turn <= mostTries; turn += 1) {
    await tryEach(
      all.filter(({ tries }) => isToTryAgain(tries)),
      context,
      turn,
    );
  }
  return {
    figures: all.flatMap(({ row, tries }) =>
      row.figures.map((_, at) => chosen(tries.map(({ figures }) => figures[at]))),
    ),
    journals: all.flatMap(({ tries }) => tries.flatMap(({ journals }) => journals)),
  };
}

async function tryEach(measured, context, turn) {
  const again = turn === 1 ? '' : ` again, for the ${turn === 2 ? 'second' : 'third'} time`;
  for (const [at, { row, tries }] of measured.entries()) {
    process.stderr.write(`measuring ${row.name}${again} (${at + 1} of ${measured.length})\n`);
    const made = await measureOnce(row, context);
    for (const figure of made.figures) process.stderr.write(`  ${briefOf(figure)}\n`);
    tries.push(made);
  }
}

async function measureOnce(row, context) {
  const seen = [];
  const measured = await measureOne(row, { ...context, journals: seen });
  return {
    figures: row.figures.map((id) => figureOf(id, row.name, measured[id] ?? measured)),
    journals: seen.map((told) => ({ measurement: row.name, ...told, fault: faultOfJournal(told) })),
  };
}

async function measureOne({ measure }, context) {
  try {
    return await measure(context);
  } catch (error) {
    return { failed: error.message, isOutOfTime: error instanceof OutOfTime };
  }
}

function figureOf(id, measurement, { failed, isOutOfTime, unavailable, ...measured }) {
  const goal = goals.find((row) => row.id === id);
  if (failed !== undefined) return { ...goal, measurement, failed, isOutOfTime };
  if (unavailable !== undefined) return { ...goal, measurement, unavailable };
  return { ...goal, measurement, ...measured, verdict: judge(goal, measured.value) };
}
