// What a database's errors mean: a question that it refuses, or that it is not there to be asked.

/** SQLSTATE classes of a database that cannot answer now, whatever it is asked: connections, resources, an operator's intervention, the system. */
const classes = ['08', '53', '57', '58'];
/** A statement that took too long says nothing of the database. */
const statementCancelled = '57014';

interface Coded {
  readonly code?: unknown;
  readonly message: string;
  readonly errors?: readonly Error[];
}

const isState = (code: unknown): code is string => typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);

/** Whether it is not the question that is at fault: asked again, it may be answered. */
export function isOfConnection(error: unknown): boolean {
  const { code } = error as Coded;
  if (isState(code)) return code !== statementCancelled && classes.includes(code.slice(0, 2));
  return true;
}

/** In one line, without what may be secret: neither the URL nor a password is part of these messages. */
export function describe(error: unknown): string {
  const { code, message, errors } = error as Coded;
  const words = message || errors?.map((one) => one.message).join('; ') || String(code);
  return words.replaceAll(/\s+/g, ' ');
}
