// What was answered, as a journal keeps it: without its secrets, and in pieces that others have, too.
import { isDebugHeader } from '../../contract/debug-headers.ts';
import { type Decision, decisionOf } from './decision.ts';
import type { Answer, Answered } from './entry.ts';
import { type HeaderLines, recordOf } from './header-lines.ts';
import { keptText, mostCharacters } from './kept-text.ts';
import { Pieces } from './pieces.ts';
import type { Redactor } from './redaction.ts';
import { bytesOfText, headerBytes } from './text-size.ts';

/** Over a port nobody tells. */
const neverSeen = Object.freeze({ from: Number.POSITIVE_INFINITY });

export class KeptAnswer implements Answer {
  readonly status: number | null;
  readonly answeredAt: number;
  readonly durationMilliseconds: number;
  readonly caller: string | null;
  readonly decision: Decision;
  /** Written by the journal, once, of a call in process; over a port it is frozen. */
  readonly seen: { from: number };
  readonly #headers: HeaderLines;
  readonly #body: string | Pieces | null;

  constructor(answered: Answered, redactor: Redactor, isOverPort: boolean) {
    this.seen = isOverPort ? neverSeen : { from: Number.POSITIVE_INFINITY };
    this.status = answered.status;
    this.#headers = redactedLines(answered.headers, redactor);
    this.answeredAt = answered.answeredAt;
    this.durationMilliseconds = answered.durationMilliseconds;
    this.caller = answered.caller;
    this.decision = decisionOf(answered.decided, redactor);
    this.#body = keptBody(answered.body, redactor);
  }

  get headers(): Answer['headers'] {
    return recordOf(this.#headers);
  }

  /** Joined for each who asks. */
  get body(): string | null {
    return this.#body instanceof Pieces ? this.#body.kept : this.#body;
  }

  /** All of it, for whoever looks at an entry whole. */
  toJSON(): Answer {
    return { ...this, headers: this.headers, body: this.body };
  }

  /** What it takes in memory, roughly. */
  get bytes(): number {
    const [headers, { decision }] = [this.#headers, this];
    let bytes = this.#body instanceof Pieces ? this.#body.bytes : bytesOfText(this.#body);
    for (const line of headers) bytes += headerBytes / 2 + line.length;
    for (const { field, came, sentence } of decision.details)
      bytes += headerBytes + bytesOfText(field) + bytesOfText(came) + bytesOfText(sentence);
    return bytes;
  }
}

/** The very same where there is nothing to redact. */
function redactedLines(lines: HeaderLines, redactor: Redactor): HeaderLines {
  for (let at = 0; at < lines.length; at += 2) {
    const [name = '', value = ''] = [lines[at], lines[at + 1]];
    if (!isDebugHeader(name) && !redactor.isClean(name, value))
      return lines.map((line, index) => (index % 2 === 0 ? line : redactor.header(lines[index - 1] ?? '', line)));
  }
  return lines;
}

/** In which no secret may stand, they are kept as pieces. */
const keptBody = (body: Answered['body'], redactor: Redactor): string | Pieces | null =>
  body instanceof Pieces && body.length <= mostCharacters && !body.isSuspicious
    ? body.held
    : keptText(body === null ? null : String(body), redactor);
