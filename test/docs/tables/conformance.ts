// The tables of docs/reference/conformance.md: statements, rules and assumptions, with the sources that name them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Assumption,
  type AssumptionId,
  assumptionRegister,
  fixedAnswers,
} from '../../../src/contract/assumptions.ts';
import { type NumberedRule, numberedRules, ruleGroups } from '../../../src/contract/rules.ts';
import { rows } from '../../cases/table.ts';
import { sections } from '../../contract/statements/service.ts';
import { root } from '../../support/command.ts';
import { code, table } from './table.ts';

const assumptions = Object.entries(assumptionRegister) as [AssumptionId, Assumption][];

const read = (folder: string, excluded: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !excluded.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
// Catalogs of rules, and the console and documents that show them, implement none.
const sources = read('src', /^src\/(?:contract\/assumptions\.ts|openapi\/|http\/docs\/|console\/|client\/)/);
const tests = read('test', /^test\/(?:docs|console|browser|contract\/openapi)\//);
const naming = (files: typeof sources, name: RegExp) => files.filter(({ text }) => name.test(text));

const ruleSources = (id: string) =>
  naming(sources, new RegExp(`\\b${id}\\b`)).filter(({ path }) => !/^src\/contract\/(?:rules|orders)\.ts$/.test(path));
const assumptionSources = (id: string) => naming(sources, new RegExp(`get\\('${id}'\\)|offeredBy: '${id}'|\`${id}\``));
const paths = (files: typeof sources) => files.map(({ path }) => code(path.replace('src/', ''))).join('<br>');

/** The rules and assumptions that no source names, or no test. */
export function unnamed(): string[] {
  const ids = [...numberedRules.map(({ id }) => id), ...assumptions.map(([id]) => id)];
  return [
    ...ids.filter((id) => ruleSources(id).length === 0 && assumptionSources(id).length === 0),
    ...ids.filter((id) => naming(tests, new RegExp(`\\b${id}\\b`)).length === 0),
    ...Object.keys(fixedAnswers).filter((id) => naming(tests, new RegExp(`\`${id}\``)).length === 0),
  ];
}

export function statementsTable(): string {
  const all = sections.flatMap(({ title, statements }) => statements.map(([says, heldBy]) => [title, says, heldBy]));
  return table(['Section', 'Statement', 'Rules and assumptions'], all);
}

/** The contract's sentence, or the requirement with the response to a request that breaks it. */
function sentence({ id, contract, requires, addition }: NumberedRule): string {
  const cases = rows.filter(({ rule }) => rule === id);
  const refused = (cases.find((row) => row.id === 'orders.create') ?? cases[0])?.given.rejection;
  const field = refused?.details?.[0]?.field;
  const rejection = refused ? ` Else ${refused.status}${field ? ` at \`${field}\`` : ''}: \`${refused.message}\`.` : '';
  return `${contract ?? `${requires}.${rejection}`}${addition ? ` *Added:* ${addition}.` : ''}`;
}

/** A heading and a table for each group of rules. */
export const rulesTables = (): string =>
  ruleGroups
    .map(({ letters, title }) => {
      const own = numberedRules.filter(({ id }) => id.startsWith(`${letters}-`));
      const lines = own.map((rule) => [rule.id, sentence(rule), rule.standing, paths(ruleSources(rule.id))]);
      return `## ${title}\n\n${table(['Rule', 'Requirement', 'Source', 'Code'], lines)}`;
    })
    .join('\n\n');

export function assumptionCodeTable(): string {
  const lines = assumptions.map(([id, { choices }]) => [
    code(id),
    choices.map(([choice]) => code(choice)).join(', '),
    paths(assumptionSources(id)),
  ]);
  return table(['Assumption', 'Choices, default first', 'Code'], lines);
}

export const openQuestionsTable = (): string =>
  table(
    ['Id', 'Open question', 'The sandbox'],
    Object.entries(fixedAnswers).map(([id, { question, answer }]) => [code(id), question, answer]),
  );
