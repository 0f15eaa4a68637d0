// A sandbox in which clients live whose time is virtual, and its tester.

import { controlClient } from '../../../src/client/control-client.ts';
import type { SandboxControl } from '../../../src/client/sandbox-control.ts';
import type { Choices } from '../../../src/contract/assumptions.ts';
import { type Answer, fixtures, noon, passwordOf, scenarios } from '../sachet.ts';
import { testEngine } from '../test-engine.ts';
import { CorrectClient, type Habits, type Send } from './correct-client.ts';
import { VirtualTime } from './virtual-time.ts';

export interface World {
  readonly stage: SandboxControl;
  readonly time: VirtualTime;
  /** How many calls were made. */
  readonly calls: () => number;
  readonly client: (username: string, habits?: Partial<Habits>) => CorrectClient;
}

const origin = 'http://localhost:4010';
export function livedIn(assumptions: Partial<Choices> = {}): World {
  const engine = testEngine({ fixtures, scenarios, clock: noon, randomSeed: 'test', assumptions });
  const control = controlClient({ url: origin, adminKey: engine.adminKey, fetch: engine.fetch });
  const stage = control.sandbox('stage');
  const time = new VirtualTime((milliseconds) => stage.clock.advance({ seconds: milliseconds / 1000 }));
  let calls = 0;
  const send: Send = (method, path, { token, body } = {}) => {
    calls += 1;
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return time.awake(() => engine.fetch(new URL(path, origin), init).then(answerOf).catch(lost));
  };
  const place = assumptions.next_cursor ?? 'body';
  return {
    stage,
    time,
    calls: () => calls,
    client: (username, habits = {}) =>
      new CorrectClient({ send, time, place, habits, login: { username, password: passwordOf(username) } }),
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  return { status, headers, text, body: isJson && text ? JSON.parse(text) : undefined };
}

/** A connection that broke, before the answer or in the middle of it. */
function lost(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}
