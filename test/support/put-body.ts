// Bodies put to the control API as they are, and what came of them.
import { expect } from 'vitest';
import { controlled, everything } from './control.ts';
import type { CallInit } from './sachet.ts';

/** Puts a body to a fresh server; whatever is refused leaves all as it was. */
export async function putBody(path: string, init: CallInit, method = 'POST') {
  const server = controlled();
  const before = await everything(server);
  const answer = await server.admin(method, path, undefined, init);
  if (answer.status >= 400) {
    const { sandboxes: _, ...after } = await everything(server);
    expect(after).toEqual({ versions: before.versions, journals: before.journals });
  }
  return answer;
}
export const rawBody = (text: string, type = 'application/json'): CallInit => ({
  raw: text,
  headers: { 'content-type': type },
});
