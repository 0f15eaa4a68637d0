// What a database's errors mean: a question that it refuses, a connection that broke, or that it is late.
import { DatabaseError } from 'pg';

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
export const isWaitForConnection = (error: unknown): boolean => (error as Coded).message === late.connection;

/** Whether it may be asked again at once: a connection broke, and nobody has waited for long. */
export const isBroken = (error: unknown): boolean =>
  isOfConnection(error) && !isWaitForConnection(error) && (error as Coded).message !== late.answer;

/** What a database says that lets nobody in: the user, the password, the database's name. */
const refusals = ['28', '3D'];

/** Whether the database is away for whoever asks, whatever that is. */
export const isAway = (error: unknown): boolean =>
  isOfConnection(error) || (error instanceof DatabaseError && refusals.includes((error.code ?? '').slice(0, 2)));

/** In one line, without what may be secret: neither the URL nor a password is part of these messages. */
export function describe(error: unknown): string {
  const { code, message, errors } = error as Coded;
  const words = message || errors?.map((one) => one.message).join('; ') || String(code);
  return words.replaceAll(/\s+/g, ' ');
}
