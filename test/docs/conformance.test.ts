// docs/reference/conformance.md lists every rule and assumption with the sources that name it. Each has a source and a test.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type Assumption,
  type AssumptionId,
  assumptionRegister,
  fixedAnswers,
} from '../../src/contract/assumptions.ts';
import { type NumberedRule, numberedRules, ruleGroups } from '../../src/contract/rules.ts';
import { rows } from '../cases/table.ts';
import { sections } from '../contract/statements/all.ts';
import { root } from '../support/command.ts';
import { code, table } from './tables/table.ts';

const page = join(root, 'docs/reference/conformance.md');
const assumptions = Object.entries(assumptionRegister) as [AssumptionId, Assumption][];
const statements = sections.flatMap(({ title, statements }) =>
  statements.map(([says, heldBy]) => [title, says, heldBy]),
);

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

/** The contract's sentence, or the requirement with the response to a request that breaks it. */
function sentence({ id, contract, requires, addition }: NumberedRule): string {
  const cases = rows.filter(({ rule }) => rule === id);
  const refused = (cases.find((row) => row.id === 'orders.create') ?? cases[0])?.given.rejection;
  const field = refused?.details?.[0]?.field;
  const rejection = refused ? ` Else ${refused.status}${field ? ` at \`${field}\`` : ''}: \`${refused.message}\`.` : '';
  return `${contract ?? `${requires}.${rejection}`}${addition ? ` *Added:* ${addition}.` : ''}`;
}

const conformance = `# Conformance

This page lists the code of each of the ${numberedRules.length} rules of the contract, and of each of the ${assumptions.length} assumptions. It is
generated (\`npm run docs\`). A test fails if the page is stale, or if no code or no test names a rule or an assumption.

- **documented**: the contract says it. A part that we added is marked *Added*.
- **assumed**: the contract does not say it, and a real service may differ.

Code is in \`src/\`. Run the tests of a rule with \`npx vitest run --project fast -t ORD-25\`.

## Statements of the contract

Each of these ${statements.length} statements has a test of its own in \`test/contract/statements\`. The last column names the rules and assumptions behind it.

${table(['Section', 'Statement', 'Rules and assumptions'], statements)}

${ruleGroups
  .map(({ letters, title }) => {
    const own = numberedRules.filter(({ id }) => id.startsWith(`${letters}-`));
    const lines = own.map((rule) => [rule.id, sentence(rule), rule.standing, paths(ruleSources(rule.id))]);
    return `## ${title}\n\n${table(['Rule', 'Requirement', 'Source', 'Code'], lines)}`;
  })
  .join('\n\n')}

## Assumptions

[Assumptions](assumptions.md) has the question of each one. \`test/http/assumptions.test.ts\` tests each of the ${assumptions.flatMap(([, { choices }]) => choices).length} choices.

${table(
  ['Assumption', 'Choices, default first', 'Code'],
  assumptions.map(([id, { choices }]) => [
    code(id),
    choices.map(([choice]) => code(choice)).join(', '),
    paths(assumptionSources(id)),
  ]),
)}

## Open questions without a choice

${table(
  ['Id', 'Open question', 'The sandbox'],
  Object.entries(fixedAnswers).map(([id, { question, answer }]) => [code(id), question, answer]),
)}
`;

test('is docs/reference/conformance.md (`npm run docs` writes it)', () => {
  if (process.env.UPDATE_DOCS) writeFileSync(page, conformance);
  else expect(readFileSync(page, 'utf8'), 'stale: run `npm run docs`').toBe(conformance);
});

test('every rule and assumption is named by a source and by a test', () => {
  const ids = [...numberedRules.map(({ id }) => id), ...assumptions.map(([id]) => id)];
  const gaps = [
    ...ids.filter((id) => ruleSources(id).length === 0 && assumptionSources(id).length === 0),
    ...ids.filter((id) => naming(tests, new RegExp(`\\b${id}\\b`)).length === 0),
    ...Object.keys(fixedAnswers).filter((id) => naming(tests, new RegExp(`\`${id}\``)).length === 0),
  ];
  expect(gaps, 'in no source or in no test').toEqual([]);
});
