// Three servers over one PostgreSQL. The servers and the database are killed under load, again and again: what was acknowledged is there, once.
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { onTestFinished, test } from 'vitest';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres/server.ts';
import { until } from '../support/postgres/until.ts';
import { faultsOf, firstOf, shown, sized, tell } from './figure.ts';
import { ordersOf } from './found-state.ts';
import { Ledger, type Listed } from './ledger.ts';
import { postOrder } from './marked-orders.ts';
import { type StressedServer, startStressed, wordsBesideLog } from './server.ts';

/** In each round every server is killed in turn, then the database. */
const rounds = sized(10, 2);
const acknowledgedAtLeast = sized(10_000, 400);
const writers = 8;
const slots = [0, 1, 2] as const;
/** Of load before a kill, and until what was killed is started again. */
const milliseconds = { load: { min: 50, max: 500 }, pause: { min: 0, max: 300 } };
/** The seed of a run that is to be had again. */
const seed = Number(process.env.STRESS_SEED ?? Date.now() % 2 ** 31);

const row = {
  row: 'replicas',
  done: `${shown(rounds * 4)} × \`kill -9\` under load: ${rounds * 3} × one of three servers that share a PostgreSQL, ${rounds} × the database with all its processes; each is started again; ${writers} writers send orders to the servers in turn; at the end all data is compared, also with a newly started server (STRESS_SEED=${seed})`,
  wanted: `every acknowledged order is stored once, at least ${shown(acknowledgedAtLeast)} of them; a request gets 201, the contract's 500 or a broken connection; all servers recover on their own`,
} as const;

test('servers and their database that are killed', async (context) => {
  const missing = postgresMissing();
  if (missing) return tell(context, { ...row, measured: '', faults: [], skipped: missing });
  const database = await startPostgres({ durable: true });
  onTestFinished(() => database.close());
  const replicas = new Replicas(database);
  for (const slot of slots) await replicas.start(slot);
  const load = writing(replicas);
  onTestFinished(() => load.end());
  const moments = { load: drawn(milliseconds.load), pause: drawn(milliseconds.pause) };
  for (let round = 0; round < rounds; round += 1) {
    for (const slot of slots) {
      await sleep(moments.load());
      await replicas.kill(slot);
      await sleep(moments.pause());
      await replicas.start(slot);
    }
    const enough = (acknowledgedAtLeast * (round + 1)) / rounds;
    await until(`${enough} acknowledged orders`, () => load.ledger.acknowledged >= enough);
    await sleep(moments.load());
    await database.kill();
    await sleep(moments.pause());
    await database.start();
    await replicas.recovered();
  }
  await load.end();
  const lists = [...(await replicas.lists()), await replicas.listOfNew()];
  tellReplicas(context, load, lists, replicas.words);
});

/** Draws numbers from a range, the same ones for the same seed. */
function drawn({ min, max }: typeof milliseconds.load): () => number {
  const numbers = fc.sample(fc.noBias(fc.integer({ min, max })), { numRuns: rounds * 4, seed });
  return () => numbers.pop() ?? min;
}

/** The servers, each in a slot of its own however often it is started. */
class Replicas {
  /** What they said on standard error, except that the database does not answer. */
  readonly words: string[] = [];
  readonly #flags: readonly string[];
  readonly #servers: StressedServer[] = [];

  constructor({ url }: PostgresServer) {
    this.#flags = ['--store', url];
  }

  async start(slot: number): Promise<void> {
    this.#servers[slot] = await startStressed({ flags: this.#flags });
  }

  at(slot: number): StressedServer {
    return this.#servers[slot] as StressedServer;
  }

  async kill(slot: number): Promise<void> {
    const server = this.at(slot);
    if (server.child.exitCode !== null) this.words.push(`a server exited: ${server.stderr}`);
    else await server.kill();
    this.words.push(...unexpectedOf(server));
  }

  /** Waits until all servers notice that the database is back. */
  async recovered(): Promise<void> {
    const isWell = async ({ url }: StressedServer) => (await (await fetch(`${url}/health`)).json()).status === 'ok';
    const deadline = Date.now() + 30_000;
    for (const server of this.#servers)
      while (!(await isWell(server))) {
        if (Date.now() > deadline) throw new Error(`a server does not recover: ${server.stderr}`);
        await sleep(50);
      }
  }

  /** The orders of writers as each server has them; then all are ended. */
  async lists(): Promise<Listed[][]> {
    const lists = await Promise.all(this.#servers.map(ordersOf));
    for (const server of this.#servers) {
      await server.stop();
      this.words.push(...unexpectedOf(server));
    }
    return lists;
  }

  /** The same of a server that has nothing in memory yet. */
  async listOfNew(): Promise<Listed[]> {
    await this.start(0);
    return ordersOf(this.at(0));
  }
}

const unexpectedOf = (server: StressedServer): string[] =>
  wordsBesideLog(server).filter((words) => !isExpected.test(words));
const isExpected =
  /^(?:store: the database (?:does not answer: |answers again$)|request \S+ failed: the store did not answer: )/;

interface Load {
  readonly ledger: Ledger;
  /** Answers that no kill explains. */
  readonly faults: string[];
  /** How many calls were refused, or lost their connection. */
  refused(): number;
  /** Waits until all writers have ended. */
  end(): Promise<void>;
}

/** Each writer takes the servers in turn, and goes on with another order whatever it meets. */
function writing(replicas: Replicas): Load {
  const ledger = new Ledger();
  const faults: string[] = [];
  let refused = 0;
  let isOver = false;
  const write = async (writer: number) => {
    for (let count = 0; !isOver; count += 1) {
      const mark = `0-${writer}-${count}`;
      const { status, id, text } = await postOrder(replicas.at((writer + count) % slots.length), mark).catch(broken);
      if (status === 201) ledger.ordered(id, mark);
      else {
        refused += 1;
        if (status !== 0 && status !== 500) faults.push(`an order was answered with ${status}: ${text}`);
        await sleep(10);
      }
    }
  };
  const over = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return {
    ledger,
    faults,
    refused: () => refused,
    end: async () => {
      isOver = true;
      await over;
    },
  };
}

const broken = (error: unknown) => ({ status: 0, id: '', text: `${error}` });

function tellReplicas(
  context: Parameters<typeof tell>[0],
  { ledger, faults, refused }: Load,
  lists: readonly Listed[][],
  words: readonly string[],
): void {
  const [lost, doubled] = [lists.flatMap((list) => ledger.lost(list)), lists.flatMap((list) => ledger.doubled(list))];
  const sizes = new Set(lists.map(({ length }) => length));
  tell(context, {
    ...row,
    measured: `${shown(ledger.acknowledged)} acknowledged orders: ${lost.length} lost, ${doubled.length} doubled; ${shown(refused())} requests rejected or broken; ${[...sizes].map((size) => shown(size)).join(' and ')} orders at each server`,
    faults: faultsOf({
      [`lost: ${firstOf(lost)}`]: lost.length > 0,
      [`doubled: ${firstOf(doubled)}`]: doubled.length > 0,
      'the servers have different orders': sizes.size > 1,
      [`unexpected for a writer: ${firstOf(faults)}`]: faults.length > 0,
      [`standard error has ${firstOf(words)}`]: words.length > 0,
      'no request failed because of a kill': refused() === 0,
    }),
  });
}
