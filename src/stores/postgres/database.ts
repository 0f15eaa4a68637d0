// The database: a bounded number of connections, each question bounded in time. It knows if the database answers, and the time there.
import { Socket } from 'node:net';
import { DatabaseError, Pool, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { machineTime, stopwatch } from '../../control/clock.ts';

/** Asks one question. @throws what the database says, or that it does not answer */
export type Ask = <Row extends QueryResultRow>(question: QueryConfig) => Promise<QueryResult<Row>>;

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database?sslmode=…`, with the parameters that the driver knows. */
  readonly url: string;
  /** Called with a sentence when the database is gone, and when it is back. */
  readonly tell: (words: string) => void;
}

const connections = 10;
/** How long a call waits for a connection, and for an answer. */
export const waits = { connectMilliseconds: 3000, answerMilliseconds: 8000 } as const;
const healMilliseconds = 1000;

/** A column for questions: the answer sets the clock. */
export const timeNow = 'extract(epoch from clock_timestamp())::float8 * 1000 as now';

export class Database {
  /** Why it does not answer; undefined while it does. */
  trouble: string | undefined;
  readonly #pool: Pool;
  readonly #tell: DatabaseOptions['tell'];
  readonly #sockets = new Set<Socket>();
  readonly #aside = new Set<Promise<unknown>>();
  /** Milliseconds that the database's clock is ahead of this machine's. */
  #ahead = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #healing: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor({ url, tell }: DatabaseOptions) {
    this.#tell = tell;
    this.#pool = new Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: waits.connectMilliseconds,
      statement_timeout: waits.answerMilliseconds,
      query_timeout: waits.answerMilliseconds + 1000,
      // A server that stops in the middle of a transaction loses its locks before those who wait for them give up.
      idle_in_transaction_session_timeout: waits.answerMilliseconds / 2,
      keepAlive: true,
      stream: () => this.#socket(),
      application_name: 'sachet',
    });
    // The next question on a broken connection fails; an error event without a listener would end the process.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** The database's time in milliseconds since 1970: all servers use it. */
  now(): number {
    return machineTime() + Math.round(this.#ahead);
  }

  ask: Ask = (question) => this.#answered(this.#pool.query(question));

  /** Asks a question that changes nothing: it is asked again if its connection broke. */
  read: Ask = async (question) => {
    try {
      return await this.ask(question);
    } catch (error) {
      if (!isBroken(error)) throw error;
      return this.ask(question);
    }
  };

  /** Asks several questions as one transaction, which is committed when this resolves. */
  async transaction<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw this.#noted(error);
    });
    const ask: Ask = (question) => this.#answered(client.query(question));
    let isCommitted = false;
    try {
      await ask({ text: 'begin' });
      const result = await work(ask);
      await ask({ text: 'commit' });
      isCommitted = true;
      return result;
    } finally {
      // Closing the connection ends the transaction, whatever state it is in.
      client.release(!isCommitted);
    }
  }

  /** Lets work go on beside the answers. Its failure is ignored: something later does it again. */
  aside(work: Promise<unknown>): void {
    const done: Promise<unknown> = work.catch(() => undefined).finally(() => this.#aside.delete(done));
    this.#aside.add(done);
  }

  /** Waits for what is in progress. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#healing);
    while (this.#aside.size > 0) await Promise.all(this.#aside);
    await this.#pool.end();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** The driver leaves a connection open that was refused: it would keep the process running. */
  #socket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    return socket.once('close', () => this.#sockets.delete(socket));
  }

  async #answered<Row extends QueryResultRow>(asking: Promise<QueryResult<Row>>): Promise<QueryResult<Row>> {
    const sent = machineTime();
    try {
      const answer = await asking;
      this.#answeredAt = stopwatch();
      // Several statements in one question have several answers.
      const now = (answer.rows as Row[] | undefined)?.[0]?.now;
      if (now !== undefined) this.#setClock(now, sent);
      if (this.trouble !== undefined) this.#tell('store: the database answers again');
      this.trouble = undefined;
      return answer;
    } catch (error) {
      throw this.#noted(error);
    }
  }

  /**
   * The database looked at its clock between the question and the answer. What is known of the clock stays if it fits that: time must not
   * jump with the duration of an answer. Either clock may be a millisecond behind what it shows.
   */
  #setClock(theirs: number, sent: number): void {
    this.#ahead = Math.min(Math.max(this.#ahead, theirs - machineTime() - 1), theirs - sent + 1);
  }

  /** Gives the same error. It is a trouble until the database answers again, if the question is not at fault. */
  #noted(error: unknown): unknown {
    if (!isAway(error) || this.#closing || this.#isBusy(error)) return error;
    const words = `the database does not answer: ${describe(error)}`;
    if (this.trouble === undefined) this.#tell(`store: ${words}`);
    this.trouble = words;
    this.#healSoon();
    return error;
  }

  /** True if all connections are in use, which is no trouble of the database. */
  #isBusy(error: unknown): boolean {
    return isWaitForConnection(error) && stopwatch() - this.#answeredAt < waits.connectMilliseconds;
  }

  /** While it does not answer, it is asked every second. */
  #healSoon(): void {
    this.#healing ??= setTimeout(async () => {
      await this.ask({ text: 'select 1' }).catch(() => undefined);
      this.#healing = undefined;
      if (this.trouble !== undefined && !this.#closing) this.#healSoon();
    }, healMilliseconds).unref();
  }
}

// What errors mean: the database refuses the question, the connection broke, or the answer is late.

/** SQLSTATE classes of a database that cannot answer now: connections, resources, an operator's intervention, the system. */
const unable = ['08', '53', '57', '58'];
/** SQLSTATE classes of a database that lets nobody in: the user, the password, the database's name. */
const closed = ['28', '3D'];
/** A statement that took too long says nothing about the database. */
const statementCancelled = '57014';
/** The driver's messages for waits that are over. */
const late = { connection: 'timeout exceeded when trying to connect', answer: 'Query read timeout' } as const;
/** The driver's messages for a URL or a password that cannot be used. */
const misconfigured = /^SASL:|password must be a string|does not support SSL|^URI malformed|^ENOENT/;

const messageOf = (error: unknown): string => (error as Error).message;
const classOf = ({ code = '' }: DatabaseError): string => code.slice(0, 2);

/** True if the same question may be answered later. */
export function isOfConnection(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return !misconfigured.test(messageOf(error));
  return error.code !== statementCancelled && unable.includes(classOf(error));
}

const isAway = (error: unknown): boolean =>
  isOfConnection(error) || (error instanceof DatabaseError && closed.includes(classOf(error)));

/** There is no database, or all connections are in use. */
const isWaitForConnection = (error: unknown): boolean => messageOf(error) === late.connection;

/** A connection broke, and nobody has waited for long: the question may be asked again at once. */
const isBroken = (error: unknown): boolean =>
  isOfConnection(error) && !isWaitForConnection(error) && messageOf(error) !== late.answer;

/** The error in one line. It has no secrets: these messages contain neither the URL nor a password. */
export function describe(error: unknown): string {
  const { code, message, errors } = error as AggregateError & { readonly code?: unknown };
  const words = message || errors?.map(messageOf).join('; ') || String(code);
  return words.replaceAll(/\s+/g, ' ');
}
