// The database: a bounded number of connections, each question bounded in time. It knows if the database answers, and
// the time there.
import { Socket } from 'node:net';
import { DatabaseError, Pool, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { machineTime, stopwatch } from '../../system/time.ts';

/**
 * Asks one question. Several statements in one are one transaction, and no transaction is longer: a server that stops
 * holds no locks. @throws what the database says, or that it does not answer
 */
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
/** How often a database is asked that does not answer. */
const healMilliseconds = 1000;

/** A column for questions: the answer sets the clock. */
export const timeNow = 'extract(epoch from clock_timestamp())::float8 * 1000 as now';

/** Lets work go on beside the answers. Its failure is ignored: something later does it again. */
export const aside = (work: Promise<unknown>): void => void work.catch(() => undefined);

export class Database {
  /** Why it does not answer; undefined while it does. */
  trouble: string | undefined;
  readonly #pool: Pool;
  readonly #tell: DatabaseOptions['tell'];
  /** Milliseconds that the database's clock is ahead of this machine's. */
  #ahead = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  readonly #healing: NodeJS.Timeout;
  #closing: Promise<void> | undefined;

  constructor({ url, tell }: DatabaseOptions) {
    this.#tell = tell;
    this.#pool = new Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: waits.connectMilliseconds,
      statement_timeout: waits.answerMilliseconds,
      query_timeout: waits.answerMilliseconds + 1000,
      keepAlive: true,
      allowExitOnIdle: true,
      // The driver leaves a connection open that was refused. That must not keep the process running.
      stream: () => new Socket().unref(),
      application_name: 'sachet',
    });
    // The next question on a broken connection fails; an error event without a listener would end the process.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#healing = setInterval(() => this.trouble && aside(this.ask({ text: 'select 1' })), healMilliseconds).unref();
  }

  /** The database's time in milliseconds since 1970: all servers use it. */
  now(): number {
    return machineTime() + Math.round(this.#ahead);
  }

  ask: Ask = (question) => this.#answered(this.#pool.query(question));

  /** Waits for the questions in progress. */
  close(): Promise<void> {
    clearInterval(this.#healing);
    this.#closing ??= this.#pool.end();
    return this.#closing;
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
   * The database looked at its clock between the question and the answer. What is known of the clock stays if it fits
   * that: time must not jump with the duration of an answer. Either clock may be a millisecond behind what it shows.
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
    return error;
  }

  /** True if all connections are in use, which is no trouble of the database. */
  #isBusy(error: unknown): boolean {
    return messageOf(error) === noConnection && stopwatch() - this.#answeredAt < waits.connectMilliseconds;
  }
}

// What errors mean: the database refuses the question, the connection broke, or the answer is late.

/** SQLSTATE classes of a database that cannot answer now: connections, resources, an operator, the system. */
const unable = ['08', '53', '57', '58'];
/** SQLSTATE classes of a database that lets nobody in: the user, the password, the database's name. */
const closed = ['28', '3D'];
/** A statement that took too long says nothing about the database. */
const statementCancelled = '57014';
/** The driver's message if there is no database, or all connections are in use. */
const noConnection = 'timeout exceeded when trying to connect';
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

/** The error in one line. It has no secrets: these messages contain neither the URL nor a password. */
export function describe(error: unknown): string {
  const { code, message, errors } = error as AggregateError & { readonly code?: unknown };
  const words = message || errors?.map(messageOf).join('; ') || String(code);
  return words.replaceAll(/\s+/g, ' ');
}
