// What the sandbox of a failed test received, as lines for the error of that test.

import { counted, printable } from '../client/printable.ts';
import type { Sachet } from '../client/sachet.ts';
import type { JournalEntry, MadeSandbox } from '../client/sandbox.ts';
import { entryLine } from '../node/remote-sandbox.ts';

const maxCalls = 20;
const maxCallsWithBodies = 5;
const maxBodyCharacters = 1000;

/**
 * The last calls, the very last ones with their bodies. Undefined if the test has deleted its sandbox.
 * @param began when the test began, on the clock of `stage`; undefined if this client may not read it
 */
export async function describeReceived(sachet: Sachet, sandbox: MadeSandbox, began: string | undefined) {
  const list = await sandbox.requests.list().catch(() => undefined);
  if (!list) return undefined;
  const calls = list.requests.slice(-maxCalls);
  const total = list.dropped + list.requests.length;
  const head = `The sandbox ${sandbox.name} received ${counted(total, 'call')}`;
  const lost = await callsToStage(sachet, sandbox, began);
  if (total === 0) return [`${head}.`, ...lost].join(' ');
  const withoutBodies = calls.length - maxCallsWithBodies;
  const lines = calls.map((call, at) =>
    [entryLine(call), ...(at < withoutBodies ? [] : bodiesOf(call))].join('\n    '),
  );
  const shown = [`${head}${total > calls.length ? `; the last ${calls.length}` : ''}:`, ...lines].join('\n  ');
  return [shown, ...lost].join('\n');
}

function bodiesOf({ request, response }: JournalEntry): string[] {
  const line = (name: string, body: unknown) => (body === null || body === undefined ? [] : [`${name} ${short(body)}`]);
  return [...line('request ', request.body), ...line('response', response?.body)];
}

function short(body: unknown): string {
  const json = printable(JSON.stringify(body));
  return json.length > maxBodyCharacters ? `${json.slice(0, maxBodyCharacters - 1)}…` : json;
}

/** A client that drops the path of its base URL reaches `stage`, and its calls have no token of that sandbox. */
async function callsToStage(sachet: Sachet, { baseUrl }: MadeSandbox, began: string | undefined): Promise<string[]> {
  if (began === undefined) return [];
  const journal = sachet.sandbox('stage').requests;
  const list = await journal.list({ since: began }).catch(() => undefined);
  const lost = list?.requests.filter(({ caller }) => caller === null).length ?? 0;
  const { pathname } = new URL(baseUrl);
  return lost === 0 ? [] : [`${counted(lost, 'call')} reached stage meanwhile: does your client drop ${pathname}?`];
}
