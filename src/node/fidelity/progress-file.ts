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
const head = once(() => z.object({ target: z.string(), email: z.string() }));
export type ProgressHead = z.output<ReturnType<typeof head>>;

/** An exchange: the request as the probe has it, and the exchange as an entry of a HAR file. */
const line = once(() => z.object({ request: z.string(), entry: z.unknown() }));

/** An exchange of an earlier run. */
interface EarlierExchange {
  readonly request: string;
  readonly call: RecordedCall;
}

export class ProgressFile {
  readonly path: string;
  readonly head: ProgressHead;
  readonly exchanges: readonly EarlierExchange[];
  readonly #redactor: TextRedactor;

  /**
   * Reads the file, or creates it.
   * @param fresh the head of a new file
   * @throws UsageError for a file of another target, or one that is not a progress file
   */
  constructor(path: string, fresh: ProgressHead, redactor: TextRedactor) {
    this.path = path;
    this.#redactor = redactor;
    const text = readText(path);
    // A line without its end was torn by a crash.
    const complete = text.slice(0, text.lastIndexOf('\n') + 1);
    const [first, ...others] = complete.split('\n').slice(0, -1);
    this.head = first === undefined ? fresh : this.#parsed(first, 1, head());
    if (this.head.target !== fresh.target)
      throw new UsageError(
        `${path} has the progress of a run with --target ${this.head.target}; pass this target to go on, or delete ` +
          'the file, or pass another --out',
      );
    this.exchanges = others.map((one, index) => this.#exchangeOf(one, index + 2));
    this.#write(() => writeFileSync(path, complete || `${JSON.stringify(fresh)}\n`, { mode: 0o600 }));
  }

  append(request: string, call: RecordedCall): void {
    const entry = harEntryOf(call, this.#redactor);
    this.#write(() => appendFileSync(this.path, `${JSON.stringify({ request, entry })}\n`));
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  #write(write: () => void): void {
    tryToWrite(`the progress file ${this.path}`, write);
  }

  #exchangeOf(text: string, number: number): EarlierExchange {
    const { request, entry } = this.#parsed(text, number, line());
    const call = callOfHarEntry(entry);
    if (!call) throw this.#invalid(number);
    return { request, call };
  }

  #parsed<T extends z.ZodType>(text: string, number: number, schema: T): z.output<T> {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      throw this.#invalid(number);
    }
  }

  #invalid(number: number): UsageError {
    return new UsageError(
      `line ${number} of the progress file ${this.path} is not valid; delete the file to start again`,
    );
  }
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
  const headersOf = (headers: RecordedHeaders) =>
    Array.from(headers, ([name, value]) => ({ name, value: isKnown(value) ? value : redactor.header(name, value) }));
  const { at, method, baseUrl, path, query, requestBody, status, responseBody } = call;
  return {
    startedDateTime: new Date(at).toISOString(),
    request: {
      method,
      url: baseUrl + path + redactor.query(query),
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

/** A header without a secret of the service. */
const isKnown = (value: string): boolean => value === `Bearer ${malformedToken}`;
