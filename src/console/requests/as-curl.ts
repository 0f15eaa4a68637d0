// A request as a curl command, to be sent again: secrets are not in the journal, so it asks for them.
import type { RequestShown } from '../../contract/admin/requests.ts';
import { operations } from '../../contract/operations.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { shellWord } from '../../http/shell-word.ts';

type Shown = DeepReadonly<Pick<RequestShown, 'method' | 'path' | 'query' | 'request'>>;

export const isRedacted = (text: string): boolean => text.includes('[redacted ');

/** @param baseUrl of the sandbox */
export function curlOf({ method, path, query, request: { headers, body } }: Shown, baseUrl: string): string {
  const hasToken = 'authorization' in headers;
  const type = headers['content-type'];
  const text = bodyText(body);
  const words = [
    `curl -i${method === 'GET' ? '' : ` -X ${method}`} ${shellWord(baseUrl + path + query)}`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(type ? [`-H ${shellWord(`Content-Type: ${type}`)}`] : []),
    ...(text === undefined ? [] : [`-d ${shellWord(text)}`]),
  ];
  const asked = [
    ...(hasToken ? [`# TOKEN is an access_token, as POST ${operations['authentication.token'].path} gives it.`] : []),
    ...(isRedacted(text ?? '') || isRedacted(path + query) ? ['# What is [redacted …] is a secret: put it in.'] : []),
  ];
  return [...asked, words.join(' \\\n  ')].join('\n');
}

export function bodyText(body: unknown): string | undefined {
  if (body === null || body === '') return undefined;
  return typeof body === 'string' ? body : JSON.stringify(body);
}
