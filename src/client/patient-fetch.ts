// A call that is sent again where its connection broke, or where what stands before the servers found none that answers: one server of
// several may have ended in the middle of it.
import { after } from '../control/timeout.ts';

/** What came back, and whether the call was sent more than once. */
export interface Heard {
  readonly status: number;
  readonly text: string;
  readonly isResent: boolean;
}

type Ask = (url: string, init: RequestInit) => Promise<Response>;
type Outcome = Heard | { readonly error: unknown };

/** Milliseconds before each further try. */
const pauses = [100, 300, 900, 2700, 5000];
/** Where nothing ever answered, or nothing listens any more, there may be no server: that is to be told soon. */
const fewPauses = pauses.slice(0, 3);

/** Asks, and hears the answer to its end. */
export async function heard(ask: Ask, url: string, init: RequestInit): Promise<Heard> {
  const response = await ask(url, init);
  return { status: response.status, text: await response.text(), isResent: false };
}

/** Asks again, and again, where that may help; what is asked must bear it, by a key or by changing nothing. A body that is a stream is sent once. */
export function patient(ask: Ask): (url: string, init: RequestInit) => Promise<Heard> {
  let wasHeard = false;
  return async (url, init) => {
    for (let tries = 0; ; tries += 1) {
      const outcome: Outcome = await heard(ask, url, init).catch((error: unknown) => ({ error }));
      wasHeard ||= 'status' in outcome;
      const pause = (wasHeard && !isRefused(outcome) ? pauses : fewPauses)[tries];
      if (pause === undefined || !mayHelp(outcome, init)) return settled(outcome, tries > 0);
      await passing(pause, init.signal);
    }
  };
}

/** Nothing listens there, as Node tells it. */
const isRefused = (outcome: Outcome): boolean =>
  'error' in outcome &&
  (outcome.error as { readonly cause?: { readonly code?: unknown } }).cause?.code === 'ECONNREFUSED';

function mayHelp(outcome: Outcome, { body, signal }: RequestInit): boolean {
  if (body instanceof ReadableStream || signal?.aborted) return false;
  if ('error' in outcome) return outcome.error instanceof TypeError;
  return [502, 503, 504].includes(outcome.status) && !isJson(outcome.text);
}

/** What a Sachet answers is JSON. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function settled(outcome: Outcome, isResent: boolean): Heard {
  if ('error' in outcome) throw outcome.error;
  return { ...outcome, isResent };
}

/** So many milliseconds, unless what ends the call comes first. */
function passing(milliseconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      callOff();
      reject(signal?.reason);
    };
    const callOff = after(milliseconds, () => {
      signal?.removeEventListener('abort', end);
      resolve();
    });
    signal?.addEventListener('abort', end);
  });
}
