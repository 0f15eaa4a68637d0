// A request as a curl command, to be sent again: secrets are not in the journal, so it asks for them.
import type { RequestShown } from '../../contract/admin/requests.ts';
import { operations } from '../../contract/operations.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { shellWord } from '../../http/shell-word.ts';

/** What is sent; the body as it came, as text. */
export interface Sent extends DeepReadonly<Pick<RequestShown, 'method' | 'path' | 'query'>> {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | null;
}

/** @param baseUrl of the sandbox */
export function curlOf({ method, path, query, headers, text }: Sent, baseUrl: string): string {
  const hasToken = 'authorization' in headers;
  const words = [
    `curl ${optionsOf(method, path + query)} ${shellWord(baseUrl + path + query)}`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...typeOf(headers['content-type'], text),
    // Not --data: what begins with @ would name a file.
    ...(text ? [`--data-raw ${shellWord(text)}`] : []),
  ];
  const asked = [
    ...(hasToken ? [`# TOKEN is an access_token, as POST ${operations['authentication.token'].path} gives it.`] : []),
    ...(isRedacted(path + query + text) ? ['# What is [redacted …] is a secret: put it in.'] : []),
  ];
  return [...asked, words.join(' \\\n  ')].join('\n');
}

/** The address is sent as it stands: without patterns, and with its dots. */
function optionsOf(method: string, target: string): string {
  const options = [
    method === 'HEAD' ? '--head' : '--include',
    ...(/[[\]{}]/.test(target) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(target) ? ['--path-as-is'] : []),
    ...(method === 'GET' || method === 'HEAD' ? [] : [`-X ${method}`]),
  ];
  return options.join(' ');
}

/** curl would name a type of its own for a body that came without one. */
function typeOf(type: string | undefined, text: string | null): string[] {
  if (type) return [`-H ${shellWord(`Content-Type: ${type}`)}`];
  return text ? ["-H 'Content-Type:'"] : [];
}

export const isRedacted = (text: string): boolean => text.includes('[redacted ');
