// An answer as it stands, before it is a Response.

/** Answers by what a browser may do with them: pages, what pages are made of and the control API says, and what the service says. */
export type AnswerKind = 'page' | 'data' | 'service';

/** Text, or bytes that the journal leaves out. What protects it is put on where it is sent. */
export interface Rendered {
  /** By this it is protected. */
  readonly kind: AnswerKind;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}
