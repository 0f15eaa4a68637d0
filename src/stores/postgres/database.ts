// The connections to the database: a bounded number of them, each question bounded in time. It knows whether the database answers.

import { Socket } from 'node:net';
import { DatabaseError, Pool, type PoolClient, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { stopwatch } from '../../control/clock.ts';

/** Asks one question. */
export type Ask = <Row extends QueryResultRow>(question: QueryConfig) => Promise<QueryResult<Row>>;

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database?sslmode=…`, with the parameters that the driver knows. */
  readonly url: string;
  /** Told in a sentence when the database is gone, and when it is back. */
  readonly tell: (words: string) => void;
}

const connections = 10;
/** How long a call waits for a connection, and for an answer: what takes longer is refused. */
export const waits = { connectMilliseconds: 3000, answerMilliseconds: 8000 } as const;
const healMilliseconds = 1000;
/** A server that stands still in the midst of a transaction loses its locks before those who wait for them are refused. */
const idleMilliseconds = waits.answerMilliseconds / 2;

export class Database {
  readonly #pool: Pool;
  readonly #tell: DatabaseOptions['tell'];
  readonly #sockets = new Set<Socket>();
  #trouble: string | undefined;
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
      idle_in_transaction_session_timeout: idleMilliseconds,
      keepAlive: true,
      stream: () => this.#socket(),
      application_name: 'sachet',
    });
    // Of a connection that breaks while nobody asks by it, the next question tells.
    this.#pool.on('error', () => undefined);
  }

  /** Why it does not answer; undefined while it does. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** @throws what the database says, or that it does not answer */
  ask: Ask = async (question) => {
    try {
      const answer = await this.#pool.query(question);
      this.#noteAnswer();
      return answer as never;
    } catch (error) {
      throw this.#noted(error);
    }
  };

  /** Asks what may be asked twice: a connection that has broken since it was last used is no reason to refuse. */
  read: Ask = async (question) => {
    try {
      return await this.ask(question);
    } catch (error) {
      if (!isBroken(error)) throw error;
      return this.ask(question);
    }
  };

  /** Several questions as one transaction; it stands once this is answered. */
  async transaction<T>(work: (ask: Ask) => Promise<T>, begin = 'begin'): Promise<T> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw this.#noted(error);
    });
    const endWatch = watched(client);
    // To end the connection ends the transaction, whatever state it is in.
    let isUnfinished = true;
    try {
      const ask = this.#askBy(client);
      await ask({ text: begin });
      const done = await work(ask);
      await ask({ text: 'commit' });
      isUnfinished = false;
      return done;
    } finally {
      client.release(endWatch() || isUnfinished);
    }
  }

  #askBy(client: PoolClient): Ask {
    return (question) =>
      client.query(question).then(
        (answer) => {
          this.#noteAnswer();
          return answer;
        },
        (error: unknown) => {
          throw this.#noted(error);
        },
      ) as never;
  }

  /** What is under way is waited for; nothing begins after it. */
  close(): Promise<void> {
    clearTimeout(this.#healing);
    this.#closing ??= this.#pool.end().finally(() => {
      for (const socket of this.#sockets) socket.destroy();
    });
    return this.#closing;
  }

  /** The driver leaves a connection open by which it was not let in: then it would keep the process. */
  #socket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    return socket.once('close', () => this.#sockets.delete(socket));
  }

  #noteAnswer(): void {
    this.#answeredAt = stopwatch();
    if (this.#trouble === undefined) return;
    this.#trouble = undefined;
    this.#tell('store: the database answers again');
  }

  /** The same error. One that is not the question's fault is a trouble until the database answers again. */
  #noted(error: unknown): unknown {
    if (!isAway(error) || this.#closing || this.#isBusy(error)) return error;
    if (this.#trouble === undefined) this.#tell(`store: the database does not answer: ${describe(error)}`);
    this.#trouble = `the database does not answer: ${describe(error)}`;
    this.#healSoon();
    return error;
  }

  /** Whether all connections are at work, which is no trouble of the database. */
  #isBusy(error: unknown): boolean {
    return isWaitForConnection(error) && stopwatch() - this.#answeredAt < waits.connectMilliseconds;
  }

  /** While it does not answer, it is asked every second. */
  #healSoon(): void {
    this.#healing ??= setTimeout(async () => {
      await this.ask({ text: 'select 1' }).catch(() => undefined);
      this.#healing = undefined;
      if (this.#trouble !== undefined && !this.#closing) this.#healSoon();
    }, healMilliseconds).unref();
  }
}

/**
 * A connection that breaks between two questions of a transaction says so to whoever listens, or ends the process. Gives what ends the
 * watch, and tells whether it has broken.
 */
function watched(client: PoolClient): () => boolean {
  let isBroken = false;
  const note = () => {
    isBroken = true;
  };
  client.on('error', note);
  return () => {
    client.off('error', note);
    return isBroken;
  };
}

// What a database's errors mean: a question that it refuses, a connection that broke, or that it is late.

/** SQLSTATE classes of a database that cannot answer now, whatever it is asked: connections, resources, an operator's intervention, the system. */
const classes = ['08', '53', '57', '58'];
/** A statement that took too long says nothing of the database. */
const statementCancelled = '57014';
/** The driver's words for waits that are over. */
const late = { connection: 'timeout exceeded when trying to connect', answer: 'Query read timeout' } as const;

interface Coded {
  readonly code?: unknown;
  readonly message: string;
  readonly errors?: readonly Error[];
}

/** What the driver finds wrong with how it is to come in: a password that is missing, TLS that is not offered, a URL that it cannot read. */
const misled = /^SASL:|password must be a string|does not support SSL|^URI malformed|^ENOENT/;

/** Whether it is not the question that is at fault: asked again, later, it may be answered. */
export function isOfConnection(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return !misled.test((error as Coded).message);
  const { code = '' } = error;
  return code !== statementCancelled && classes.includes(code.slice(0, 2));
}

/** Whether a connection was waited for in vain: there is no database, or all connections are busy. */
const isWaitForConnection = (error: unknown): boolean => (error as Coded).message === late.connection;

/** Whether it may be asked again at once: a connection broke, and nobody has waited for long. */
const isBroken = (error: unknown): boolean =>
  isOfConnection(error) && !isWaitForConnection(error) && (error as Coded).message !== late.answer;

/** What a database says that lets nobody in: the user, the password, the database's name. */
const refusals = ['28', '3D'];

/** Whether the database is away for whoever asks, whatever that is. */
const isAway = (error: unknown): boolean =>
  isOfConnection(error) || (error instanceof DatabaseError && refusals.includes((error.code ?? '').slice(0, 2)));

/** In one line, without what may be secret: neither the URL nor a password is part of these messages. */
export function describe(error: unknown): string {
  const { code, message, errors } = error as Coded;
  const words = message || errors?.map((one) => one.message).join('; ') || String(code);
  return words.replaceAll(/\s+/g, ' ');
}
