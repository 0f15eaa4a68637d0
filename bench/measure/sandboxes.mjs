// Sandboxes: what it costs to make and to reset one, and what ten thousand live ones weigh.
import { fileURLToPath } from 'node:url';
import { empty, withFolder } from '../folders.mjs';
import { spread } from '../load/alternate.mjs';
import { call } from '../load/call.mjs';
import { bundled } from '../servers/bundled.mjs';
import { withServers } from '../servers/children.mjs';
import { residentMegabytes, rssUnavailable } from '../servers/process-figures.mjs';
import { startInProcess, startSachet } from '../servers/start.mjs';
import { control, logIn } from '../service/client.mjs';
import { acceptedOrder, orderRequest } from '../service/order.mjs';

const stateAloneFile = fileURLToPath(new URL('../servers/state-alone.mjs', import.meta.url));
const perRun = 500;
/** A hundred times faster: so many that a collection of garbage does not make a run of its own. */
const perInnerRun = 10_000;
const liveSandboxes = 10_000;
/** How many are made side by side: the server's core is to be busy, not the making's order measured. */
const sideBySide = 16;

/** Through the handle of `createSachet`, beside a control call that does nothing; and what is the state's own part of it. */
export async function measureMaking(context) {
  const byHandle = () => startInProcess(context.pinning);
  const outer = await timed(context, byHandle, ['control', 'makeSandboxes', 'resetSandbox'], perRun);
  const inner = await withFolder(empty, async (folder) => {
    const stateAlone = await bundled(stateAloneFile, folder);
    const byRegistry = () => startInProcess(context.pinning, stateAlone);
    return timed(context, byRegistry, ['makeSandboxes', 'resetSandboxes'], perInnerRun);
  });
  return {
    controlCall: outer.control,
    makeSandbox: outer.makeSandboxes,
    resetSandbox: outer.resetSandbox,
    makeSandboxInner: inner.makeSandboxes,
    resetSandboxInner: inner.resetSandboxes,
  };
}

/** Has a process do these works, round by round, the first to warm up; gives of each a figure in microseconds. */
function timed({ settings }, start, works, count) {
  return withServers([start], async ({ ask }) => {
    const runs = works.map(() => []);
    for (let round = -1; round < settings.rounds; round += 1)
      for (const [at, work] of works.entries()) {
        const { microseconds } = await ask({ work, count });
        if (round >= 0) runs[at].push(microseconds);
      }
    return Object.fromEntries(works.map((work, at) => [work, { value: spread(runs[at]), runs: runs[at] }]));
  });
}

/** A server with ten thousand sandboxes, made over the control API, with an order each. */
export function measureLive({ pinning }) {
  if (rssUnavailable) return { unavailable: rssUnavailable };
  const flags = ['--max-sandboxes', String(liveSandboxes * 2)];
  return withServers([() => startSachet(pinning, flags)], async (sachet) => {
    const idle = residentMegabytes(sachet.pid);
    const body = await acceptedOrder(sachet, await logIn(sachet));
    let made = 0;
    const makeMore = async () => {
      while (made < liveSandboxes) {
        made += 1;
        await makeWithOrder(sachet, body, made);
      }
    };
    await Promise.all(Array.from({ length: sideBySide }, makeMore));
    const { sandboxes } = await control(sachet, 'GET', '/sandboxes');
    if (sandboxes.length < liveSandboxes) throw new Error(`${sandboxes.length} sandboxes are there`);
    const megabytes = residentMegabytes(sachet.pid);
    return {
      live: {
        value: spread([megabytes]),
        runs: [megabytes],
        notes: [`one run; before the first sandbox ${idle.toFixed(0)} MB`],
      },
    };
  });
}

async function makeWithOrder(sachet, body, number) {
  const { base_url } = await control(sachet, 'POST', '/sandboxes', { name: `live-${number}` });
  const token = await logIn(sachet, base_url);
  const { path, ...order } = orderRequest(token, body);
  await call(`${base_url}${path}`, order);
}
