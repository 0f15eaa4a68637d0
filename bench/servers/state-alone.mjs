// Makes and resets sandboxes by the registry of an engine, as the control API's handlers do, and without what stands around that. It runs as
// bundled.mjs makes it of the sources, since the package exports nothing of this.
import { machineTime } from '../../src/control/clock.ts';
import { reset } from '../../src/control/snapshots.ts';
import { engineFor } from '../../src/create-sachet.ts';
import { platform } from '../../src/node/platform.ts';
import { answerWorks, microseconds } from './works.mjs';

const { sandboxes } = engineFor({ maxSandboxes: 100_000 }, platform);

answerWorks({
  makeSandboxes: ({ count }) => withSandboxes(count, (_, making) => making),
  resetSandboxes: ({ count }) => withSandboxes(count, resetAll),
});

/** Makes so many, and removes them: memory does not grow. Gives what `tell(sandboxes, making)` makes of them, and of what making one took. */
async function withSandboxes(count, tell) {
  const made = [];
  const making = await microseconds(count, async (turn) => made.push(await make(`made-${turn}`)));
  const told = await tell(made, making);
  for (const sandbox of made) await sandboxes.remove(sandbox);
  return told;
}

/** A sandbox that nobody has written to has little to bring back: before it is reset each has an order changed. */
async function resetAll(made) {
  for (const sandbox of made) await sandbox.write(changeOrder);
  const told = await microseconds(made.length, (turn) => resetOne(made[turn]));
  for (const sandbox of made) if (await sandbox.read(isChanged)) throw new Error('a reset brought nothing back');
  return told;
}

const make = (name) => sandboxes.create({ name, environment: 'stage', madeByLogin: false }, { freshPasswords: false });

const resetOne = (sandbox) => sandbox.write((draft) => reset(draft, machineTime()));

const changed = 'Canceled';
const orderOf = (draft) => draft.table('orders').entries().next().value[1];
const changeOrder = (draft) => draft.table('orders').replace({ ...orderOf(draft), status: changed });
const isChanged = (draft) => orderOf(draft).status === changed;
