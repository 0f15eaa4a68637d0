// The answer to a call that failed outside every stage.
import { requestId } from '../control/ids.ts';
import { failureReply } from '../http/refuse.ts';
import type { Sent } from '../http/rendered.ts';
import { rendered, unaskedAnswer } from '../http/response.ts';
import { reportFailure } from './log.ts';

/** Whatever was thrown on the way, whoever called gets an answer: a connection without one would be held for ever. */
export function failure(error: unknown): Sent {
  reportFailure(error, requestId());
  return unaskedAnswer(rendered(failureReply()));
}
