// The database: a bounded number of connections, and a time limit for each query. Knows whether the database answers,
// and its clock.
import { Socket } from 'node:net';
import { DatabaseError, Pool, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { machineTime, stopwatch } from '../../system/time.ts';

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database?sslmode=…`, with the parameters that the driver knows. */
  readonly url: string;
  /** Called with a sentence when the database stops answering, and when it answers again. */
  readonly notify: (words: string) => void;
}

const connections = 10;
/** For a connection, and for the answer to a query. */
const timeouts = { connectMilliseconds: 3000, answerMilliseconds: 8000 } as const;
/** How often to try a database that does not answer. */
const healMilliseconds = 1000;

/** A column for queries whose answer sets the clock. */
export const timeNow = 'extract(epoch from clock_timestamp())::float8 * 1000 as now';

/** Does not wait for the work, and ignores its failure: it is done again later. */
export const inBackground = (work: Promise<unknown>): void => void work.catch(() => undefined);

export class Database {
  /** Why it does not answer; undefined while it does. */
  problem: string | undefined;
  readonly #pool: Pool;
  readonly #notify: DatabaseOptions['notify'];
  /** Milliseconds that the database's clock is ahead of this machine's. */
  #clockDifference = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  readonly #healing: NodeJS.Timeout;
  #closing: Promise<void> | undefined;

  constructor({ url, notify }: DatabaseOptions) {
    this.#notify = notify;
    this.#pool = new Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: timeouts.connectMilliseconds,
      statement_timeout: timeouts.answerMilliseconds,
      query_timeout: timeouts.answerMilliseconds + 1000,
      keepAlive: true,
      allowExitOnIdle: true,
      // The driver leaves a refused connection open. That must not keep the process running.
      stream: () => new Socket().unref(),
      application_name: 'sachet',
    });
    // The next query on a broken connection fails; an error event without a listener would end the process.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#healing = setInterval(
      () => this.problem && inBackground(this.query({ text: 'select 1' })),
      healMilliseconds,
    ).unref();
  }

  /** The database's time in milliseconds since 1970: all servers use it. */
  now(): number {
    return machineTime() + Math.round(this.#clockDifference);
  }

  /** Waits for the queries in progress. */
  close(): Promise<void> {
    clearInterval(this.#healing);
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }

  /**
   * Several statements in one query are one transaction, and no transaction is longer: a stopped server holds no locks.
   * @throws DatabaseError, or an Error if the database does not answer
   */
  query = async <Row extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<Row>> => {
    const sent = machineTime();
    try {
      const answer = await this.#pool.query<Row>(config);
      this.#answeredAt = stopwatch();
      // Several statements in one query have several answers.
      const now = (answer.rows as Row[] | undefined)?.[0]?.now;
      if (now !== undefined) this.#setClock(now, sent);
      if (this.problem !== undefined) this.#notify('store: the database answers again');
      this.problem = undefined;
      return answer;
    } catch (error) {
      throw this.#noted(error);
    }
  };

  /**
   * The database read its clock between the query and the answer. The known difference stays if it fits: time must not
   * jump with the duration of an answer. Either clock may be a millisecond behind what it shows.
   */
  #setClock(theirs: number, sent: number): void {
    this.#clockDifference = Math.min(Math.max(this.#clockDifference, theirs - machineTime() - 1), theirs - sent + 1);
  }

  /** Notes an error that is not the query's fault, until the database answers again. @returns the error */
  #noted(error: unknown): unknown {
    if (!isUnavailable(error) || this.#closing || this.#isBusy(error)) return error;
    const words = `the database does not answer: ${describe(error)}`;
    if (this.problem === undefined) this.#notify(`store: ${words}`);
    this.problem = words;
    return error;
  }

  /** True if all connections are in use: then the database may be well. */
  #isBusy(error: unknown): boolean {
    return messageOf(error) === noConnection && stopwatch() - this.#answeredAt < timeouts.connectMilliseconds;
  }
}

// Classification of errors: the database refuses the query, the connection broke, or the answer is late.

/** SQLSTATE classes: the database cannot answer now, because of connections, resources, an operator, the system. */
const unable = ['08', '53', '57', '58'];
/** SQLSTATE classes: the database refuses the user, the password, or its name. */
const closed = ['28', '3D'];
/** A statement that took too long says nothing about the database. */
const statementCancelled = '57014';
/** The driver's message if the database is not there, or all connections are in use. */
const noConnection = 'timeout exceeded when trying to connect';
/** The driver's messages for an invalid URL or password. */
const misconfigured = /^SASL:|password must be a string|does not support SSL|^URI malformed|^ENOENT/;

const messageOf = (error: unknown): string => (error as Error).message;
const classOf = ({ code = '' }: DatabaseError): string => code.slice(0, 2);

/** True if the same query may be answered later. */
export function isOfConnection(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return !misconfigured.test(messageOf(error));
  return error.code !== statementCancelled && unable.includes(classOf(error));
}

const isUnavailable = (error: unknown): boolean =>
  isOfConnection(error) || (error instanceof DatabaseError && closed.includes(classOf(error)));

/** The error in one line. It has no secrets: these messages contain neither the URL nor a password. */
export function describe(error: unknown): string {
  const { code, message, errors } = error as AggregateError & { readonly code?: unknown };
  const words = message || errors?.map(messageOf).join('; ') || String(code);
  return words.replaceAll(/\s+/g, ' ');
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Items per question. */
const maxItems = 100;

/** Asks one question for many callers: items that come while questions are in progress go together into the next. */
export class Batcher<Item, Answer> {
  readonly #askAll: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly #concurrency: number;
  #waiting: Waiting<Item, Answer>[] = [];
  #inProgress = 0;

  /** @param askAll resolves to the answers in the order of the items */
  constructor(askAll: (items: readonly Item[]) => Promise<readonly Answer[]>, concurrency: number) {
    this.#askAll = askAll;
    this.#concurrency = concurrency;
  }

  /** The question goes out after this call: its answer includes everything that was acknowledged before. */
  ask(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#waiting.length === 1) queueMicrotask(() => this.#next());
    });
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#inProgress < this.#concurrency) {
      this.#inProgress += 1;
      void this.#answer(this.#waiting.splice(0, maxItems)).finally(() => {
        this.#inProgress -= 1;
        this.#next();
      });
    }
  }

  async #answer(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#askAll(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      // If the database does not answer, those who wait to ask it have waited long enough.
      const others = isOfConnection(error) ? this.#waiting.splice(0) : [];
      for (const { reject } of [...batch, ...others]) reject(error);
    }
  }
}
