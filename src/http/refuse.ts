// Anything thrown → the error body.
import { chooseReadings } from '../contract/readings.ts';
import { Refusal } from '../contract/refusal.ts';
import { answerTo, type RefusalAnswer } from '../contract/refusal-answer.ts';
import { Terms } from '../contract/terms.ts';

/** The terms of a call that was refused before its sandbox was known. */
const defaultTerms = (): Terms => new Terms(chooseReadings(), []);

/** The answer to a refusal. */
export const refusalReply = (refusal: Refusal, terms: Terms = defaultTerms()): RefusalAnswer =>
  answerTo(refusal, terms);

/** The service's own 500, without internals. */
export const failureReply = (): RefusalAnswer => refusalReply(new Refusal('HTTP-3'));
