/**
 * JSON texts, valid, invalid and odd, with what a body of POST /v2/orders counts as. The verdicts are those of RFC 8259, of
 * bytes read as hapi reads them, and of the bounds in docs/reference/requests.md; they were written down by hand.
 */
import { bounds } from './bounds.ts';
import { encodings } from './encodings.ts';
import type { Entry, Verdict } from './entry.ts';
import { numbers } from './numbers.ts';
import { strings } from './strings.ts';
import { structures } from './structures.ts';

export type { Entry, Verdict } from './entry.ts';

export const samples: readonly Entry[] = [...numbers, ...strings, ...structures, ...encodings, ...bounds];

const refusals =
  /^(?:Invalid request payload JSON format|Payload content length greater than maximum allowed: 1048576)$/;

/** What an answer of POST /v2/orders, to a call with a good token, says of the body; `other` is neither, and a fault. */
export function verdictOf({ status, text }: { readonly status: number; readonly text: string }): Verdict | 'other' {
  if (status === 201 || status === 422) return 'taken';
  const { message } = JSON.parse(text) as { message?: unknown };
  return status === 400 && typeof message === 'string' && refusals.test(message) ? 'refused' : 'other';
}
