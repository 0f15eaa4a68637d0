// Sandboxes: what it costs to make and to reset one, and what ten thousand live ones weigh.
import { spread } from '../load/alternate.mjs';
import { call } from '../load/call.mjs';
import { withServers } from '../servers/children.mjs';
import { residentMegabytes, rssUnavailable } from '../servers/process-figures.mjs';
import { startInProcess, startSachet } from '../servers/start.mjs';
import { control, logIn } from '../service/client.mjs';
import { acceptedOrder, orderRequest } from '../service/order.mjs';

const perRun = 500;
const liveSandboxes = 10_000;
/** How many are made side by side: the server's core is to be busy, not the making's order measured. */
const sideBySide = 16;

/** Through the handle of `createSachet`, beside a control call that does nothing: the difference is the sandbox's own part. */
export function measureMaking({ pinning, settings }) {
  return withServers([() => startInProcess(pinning)], async (inProcess) => {
    const microsecondsOf = async (work) => (await inProcess.ask({ work, count: perRun })).microseconds;
    const runs = [];
    for (let round = -1; round < settings.rounds; round += 1) {
      const [nothing, made, reset] = [
        await microsecondsOf('control'),
        await microsecondsOf('makeSandboxes'),
        await microsecondsOf('resetSandbox'),
      ];
      if (round >= 0) runs.push({ nothing, made, reset });
    }
    const figureOf = (pick) => ({ value: spread(runs.map(pick)), runs: runs.map(pick) });
    return {
      controlCall: figureOf(({ nothing }) => nothing),
      makeSandbox: figureOf(({ made }) => made),
      resetSandbox: figureOf(({ reset }) => reset),
      makeSandboxInner: { unavailable: 'what makes a sandbox in the state is not exported by the package' },
      resetSandboxInner: { unavailable: 'what resets a sandbox in the state is not exported by the package' },
    };
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
