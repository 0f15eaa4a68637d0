// An answer as it stands, before it is a Response.
import type { HeaderLines } from '../control/journal/header-lines.ts';
import type { Pieces } from '../control/journal/pieces.ts';

/** Answers by what a browser may do with them: pages, what pages are made of and the control API says, and what the service says. */
export type AnswerKind = 'page' | 'data' | 'service';

/** Text, at once or in pieces, or bytes that the journal leaves out. */
export type Body = string | Pieces | Uint8Array | null;

/** What protects it is put on where it is sent. */
export interface Rendered {
  /** By this it is protected. */
  readonly kind: AnswerKind;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** An answer as it goes out: made a Response in process, written to the socket over a port. */
export interface Sent {
  readonly status: number;
  /** All of them, names and values in turn. */
  readonly headers: HeaderLines;
  readonly body: Body;
}
