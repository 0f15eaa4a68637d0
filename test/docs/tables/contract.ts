// The tables of the service's contract and data: endpoints, assumptions, collections, and the cases in the fixtures.
import { z } from 'zod';
import { type Assumption, assumptionRegister } from '../../../src/contract/assumptions.ts';
import { debugHeaderNames } from '../../../src/contract/operation.ts';
import { operationList } from '../../../src/contract/operations.ts';
import { collectionNames, collections, singleNames, singles } from '../../../src/contract/records.ts';
import { readyMadeCases } from '../ready-made-cases.ts';
import { code, codes, table } from './table.ts';

const choicesCell = ({ choices }: Assumption): string =>
  choices
    .map(([choice, gloss], index) => `${index === 0 ? `**${code(choice)}**` : code(choice)}: ${gloss}`)
    .join('<br>');

export function assumptionsTable(): string {
  const all = Object.entries<Assumption>(assumptionRegister);
  const rows = all.map(([id, assumption]) => [code(id), assumption.question, choicesCell(assumption)]);
  return table(['Assumption', 'Open question', 'Choices (the default in bold)'], rows);
}

export function endpointsTable(): string {
  const rows = operationList.map(({ id, method, path, summary, permission, offeredBy }) => [
    code(`${method} ${path}`),
    code(id),
    summary,
    permission ? code(permission) : 'no token needed',
    offeredBy ? `assumed (${code(offeredBy)})` : 'documented',
  ]);
  return table(['Endpoint', 'Operation', 'Effect', 'Permission', 'Source'], rows);
}

/** A field of a record, with `?` if it can be left out. */
function fieldsOf(schema: z.ZodObject): string {
  return codes(
    Object.entries(schema.shape).map(([name, field]) => (field instanceof z.ZodOptional ? `${name}?` : name)),
  );
}

export function collectionsTable(): string {
  const rows = collectionNames.map((name) => [code(name), fieldsOf(collections[name])]);
  const single = singleNames.map((name) => [`${code(name)} (one)`, fieldsOf(singles[name])]);
  return table(['Collection', 'Fields'], [...rows, ...single]);
}

export function casesTable(): string {
  const rows = readyMadeCases.map(([login, call, _, ...response]) => [code(login), call, ...response.map(String)]);
  return table(['Log in as', 'Call', 'Status', 'Response', 'Rule'], rows);
}

const debugHeaders = {
  requestId: 'The id of the request in the journal',
  rule: 'The rules that refused the request, one for each detail, at most 50',
  reason:
    'Why the request was refused, in one short sentence: `address1 has 121 characters (max 99)`, `the token is a refresh token`, `no route GET /orders; did you mean GET /v2/orders?`',
  assumption:
    'The assumptions used for this response, such as `next_cursor=body`. The list always includes `rate_limit`.',
  fault: 'The switches and faults that affected the call, in order',
} satisfies Record<keyof typeof debugHeaderNames, string>;

export function headersTable(): string {
  const rows = Object.entries(debugHeaders).map(([id, content]) => [
    code(debugHeaderNames[id as keyof typeof debugHeaderNames]),
    content,
  ]);
  return table(
    ['Header', 'Content'],
    [
      ...rows,
      [code('Retry-After'), 'On a 429: the seconds to wait'],
      [
        code('WWW-Authenticate'),
        'On a 401 of an endpoint that needs a token: `Bearer`, with `error="invalid_token"` where a token was sent (assumption `www_authenticate`)',
      ],
      [code('Date'), "The sandbox's time on `/v2`, `/_storage` and `/_tracking`, else the machine's time"],
    ],
  );
}
