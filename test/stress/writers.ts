// Writers that go on until the server is killed under them, and what they were told.
import { logIn } from '../support/command.ts';
import type { Ledger } from './ledger.ts';
import { type Caller, postOrder } from './marked-orders.ts';
import type { StressedServer } from './server.ts';

export interface Load {
  /** Whether a writer has ended. */
  isBroken(): boolean;
  /** Over when all writers have seen that the server is gone; what they met before that, or otherwise, is a fault. */
  ended(): Promise<string[]>;
}

const orderers = 6;

/** Eight writers: of orders, of what the control API keeps, and of whole sandboxes. @param turn tells the marks of this load from all others */
export function writing(server: StressedServer, ledger: Ledger, turn: number): Load {
  const faults: string[] = [];
  const writers = [
    ...Array.from({ length: orderers }, (_, writer) => ordering(server, ledger, `${turn}-${writer}`)),
    recordOptions(server, ledger, turn),
    founding(server, ledger, turn),
  ];
  let left = writers.length;
  const over = Promise.all(
    writers.map(async (step) => {
      await untilGone(step, faults);
      left -= 1;
    }),
  );
  return {
    isBroken: () => left < writers.length,
    ended: async () => {
      await over;
      return faults;
    },
  };
}

/** Whether a connection broke; an answer that refuses is none of that. The control client has words of its own around it. */
const isBroken = (error: unknown): boolean => error instanceof TypeError || (error as Error).cause instanceof TypeError;

type Step = (count: number) => Promise<void>;

async function untilGone(step: Step, faults: string[]): Promise<void> {
  try {
    for (let count = 0; ; count += 1) await step(count);
  } catch (error) {
    if (!isBroken(error)) faults.push(`${error}`);
  }
}

/** Orders of many lines, so that the log is soon outgrown. */
const lines = 50;

async function order(caller: Caller, mark: string): Promise<string> {
  const { status, id, text } = await postOrder(caller, mark, lines);
  if (status !== 201) throw new Error(`an order was answered with ${status}: ${text}`);
  return id;
}

const ordering =
  (server: StressedServer, ledger: Ledger, writer: string): Step =>
  async (count) => {
    const mark = `${writer}-${count}`;
    ledger.ordered(await order(server, mark), mark);
  };

/** A switch turned, a snapshot made, and the one before it deleted. */
function recordOptions({ control }: StressedServer, ledger: Ledger, turn: number): Step {
  const stage = control.sandbox('stage');
  let former: string | undefined;
  return async (count) => {
    const seconds = turn * 1000 + count + 1;
    const patch = { label_expiry: { lifetime_seconds: seconds } };
    await ledger.ask('lifetime', `${seconds}`, () => stage.switches.set(patch));
    const name = `s-${turn}-${count}`;
    await ledger.ask(`snapshot ${name}`, 'there', () => stage.snapshots.create({ name }));
    const old = former;
    if (old) await ledger.ask(`snapshot ${old}`, 'gone', () => stage.snapshots.delete(old));
    former = name;
  };
}

/** A sandbox made by a login, with an order and a burst of which one call is spent; every other one is deleted. */
function founding({ control, url, ready }: StressedServer, ledger: Ledger, turn: number): Step {
  return async (count) => {
    const name = `w${turn}-${count}`;
    let token = '';
    await ledger.ask(`sandbox ${name}`, 'there', async () => {
      token = await logIn(ready, `demo+${name}`);
    });
    const sandbox = control.sandbox(name);
    await ledger.ask(`orders ${name}`, `${name}.`, () => order({ url, token }, `${name}.`));
    await ledger.ask(`burst ${name}`, '3', () => sandbox.switches.set({ rate_limit: { burst: 3 } }));
    await ledger.ask(`burst ${name}`, '2', () => spend(url, token));
    if (count % 2 === 0) return;
    for (const what of ['orders', 'burst']) ledger.forget(`${what} ${name}`);
    await ledger.ask(`sandbox ${name}`, 'gone', () => sandbox.delete());
  };
}

async function spend(url: string, token: string): Promise<void> {
  const answer = await fetch(`${url}/v2/products`, { headers: { authorization: `Bearer ${token}` } });
  await answer.text();
  if (answer.status !== 429) throw new Error(`a call within a burst was answered with ${answer.status}`);
}
