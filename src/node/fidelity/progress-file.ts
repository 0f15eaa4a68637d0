// The progress of `sachet calibrate`: each exchange as a line of JSON, without secrets, so that a run can be resumed.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { malformedToken } from '../../contract/probes.ts';
import { once } from '../../contract/schema.ts';
import { callOfHarEntry, type RecordedCall, type RecordedHeaders } from '../../fidelity/recorded-call.ts';
import type { TextRedactor } from '../../journal/redaction.ts';
import { UsageError } from '../../system/exit-errors.ts';
import { tryToWrite } from '../cli/results.ts';

/** The first line. */
const firstLine = once(() => z.object({ target: z.string(), username: z.string(), email: z.string() }));

/** An exchange: the request as the probe has it, and the exchange as an entry of a HAR file. */
const line = once(() =>
  z.object({ request: z.string(), entry: z.preprocess(callOfHarEntry, z.custom<RecordedCall>(Boolean)) }),
);

export type Progress = ReturnType<typeof openProgress>;

/**
 * Reads the file, or creates it.
 * @param fresh the first line of a new file
 * @throws UsageError for a file of another target or user, or one that is not a progress file
 */
export function openProgress(path: string, fresh: z.output<ReturnType<typeof firstLine>>, redactor: TextRedactor) {
  const parsed = <T extends z.ZodType>(text: string, number: number, schema: T): z.output<T> => {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      throw new UsageError(`line ${number} of the progress file ${path} is not valid; delete the file to start again`);
    }
  };
  const what = `the progress file ${path}`;
  const text = readText(path);
  // A line without its end was torn by a crash.
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  const [first, ...others] = complete.split('\n').slice(0, -1);
  const before = first === undefined ? fresh : parsed(first, 1, firstLine());
  // A file without an exchange is replaced.
  const head = others.length > 0 ? before : fresh;
  const other = (['target', 'username'] as const).find((name) => head[name] !== fresh[name]);
  if (other)
    throw new UsageError(
      `${path} has the progress of a run with --${other} ${head[other]}; pass this ${other} to go on, or delete the ` +
        'file, or pass another --out',
    );
  const exchanges = others.map((one, index) => parsed(one, index + 2, line()));
  tryToWrite(what, () => writeFileSync(path, [JSON.stringify(head), ...others, ''].join('\n'), { mode: 0o600 }));
  return {
    path,
    head,
    /** Of earlier runs. */
    exchanges,
    append: (request: string, call: RecordedCall): void => {
      const text = `${JSON.stringify({ request, entry: harEntryOf(call, redactor) })}\n`;
      tryToWrite(what, () => appendFileSync(path, text), Error);
    },
    remove: (): void => rmSync(path, { force: true }),
  };
}

/** Empty for a missing file. @throws UsageError */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new UsageError(`cannot read the progress file ${path}: ${message}`);
  }
}

function harEntryOf(call: RecordedCall, redactor: TextRedactor) {
  // The malformed token of the probes is not a secret.
  const redacted = (name: string, value: string) =>
    value === `Bearer ${malformedToken}` ? value : redactor.header(name, value);
  const headersOf = (headers: RecordedHeaders) =>
    Array.from(headers, ([name, value]) => ({ name, value: redacted(name, value) }));
  const { at, method, baseUrl, path, query, requestBody, status, responseBody } = call;
  return {
    startedDateTime: new Date(at).toISOString(),
    request: {
      method,
      url: baseUrl + redactor.text(path) + redactor.query(query),
      headers: headersOf(call.requestHeaders),
      ...(typeof requestBody === 'string' && { postData: { text: redactor.body(requestBody) } }),
    },
    response: {
      status,
      headers: headersOf(call.responseHeaders),
      content: { size: -1, ...(responseBody !== undefined && { text: redactor.body(responseBody) }) },
    },
  };
}
