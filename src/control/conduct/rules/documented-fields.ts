// `documented_fields`: only fields come that the contract names, also where a sandbox leaves the others out silently.

import type { Operation } from '../../../contract/operation.ts';
import { operations } from '../../../contract/operations.ts';
import { internReadings } from '../../../contract/readings.ts';
import { Terms } from '../../../contract/terms.ts';
import type { StageName } from '../../journal/decision.ts';
import type { CompletedCall } from '../completed-call.ts';
import type { Rule } from '../reducer.ts';

/** The stages that an answer comes from once the fields were looked at. */
const judged: readonly StageName[] = ['query', 'bodySchema', 'operation'];

export const documentedFields: Rule = {
  begins: ({ operation, stage }) => operation !== null && judged.includes(stage),
  follow: (ruling) => ({
    see(call) {
      const { operation, stage, id } = call;
      if (!operation || !judged.includes(stage)) return;
      const unknown = unknownIn(call, operations[operation]);
      if (unknown.length > 0)
        ruling.fail(`the call ${call.name} was sent with ${listed(unknown.map((name) => call.redacted(name)))}`, id);
      else if (!ruling.isTested && hasFields(call)) ruling.test(id);
    },
  }),
};

const hasFields = ({ query, sent }: CompletedCall): boolean => query !== '' || Object.keys(sent).length > 0;

const none: readonly string[] = [];

/** The names of what the contract does not name, as dotted paths. */
function unknownIn(call: CompletedCall, { query, body }: Operation): string[] {
  const { terms, rules, fields } = call;
  const parameters = query || call.query === '' ? none : Array.from(new URLSearchParams(call.query).keys());
  const told = rules.flatMap((rule, index) => (rule === 'unknown_fields' ? [fields[index] ?? 'more fields'] : []));
  if (told.length > 0 || !terms || hasToldAll(call, terms)) return [...parameters, ...told];
  const strict = strictly(terms);
  return [
    ...parameters,
    ...(query ? unrecognized(query(strict), Object.fromEntries(new URLSearchParams(call.query))) : []),
    ...(body ? unrecognized(body(strict), call.sent) : []),
  ];
}

/** Whether an answer by these readings tells all that is unknown. */
const hasToldAll = ({ rules }: CompletedCall, { readings }: Terms): boolean =>
  readings.unknown_fields === 'reject' && (rules.length === 0 || readings.validation_report === 'all');

/** The same terms, by which what is unknown is refused. */
const strictly = ({ readings, administrationTimes }: Terms): Terms =>
  new Terms(internReadings({ ...readings, unknown_fields: 'reject' }), administrationTimes);

const unrecognized = (schema: ReturnType<NonNullable<Operation['body']>>, value: unknown): string[] =>
  (schema.safeParse(value).error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [],
  );

const mostNames = 5;
const mostCharacters = 60;

/** A name as it can stand in a sentence, whatever was sent. */
const shown = (name: string): string => name.slice(0, mostCharacters).replaceAll(/[\p{C}"]/gu, '?');

const listed = (names: readonly string[]): string =>
  `${names
    .slice(0, mostNames)
    .map((name) => `"${shown(name)}"`)
    .join(', ')}${names.length > mostNames ? ' and more' : ''}`;
