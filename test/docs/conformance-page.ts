// docs/reference/conformance.md, written from the ledger. It shows the files of the tests and not their names, so it
// changes only when a rule gains or loses a file.
import { type Assumption, fixedAnswers } from '../../src/contract/assumptions.ts';
import { type NumberedRule, ruleGroups } from '../../src/contract/rules.ts';
import { rows } from '../cases/table.ts';
import { sections } from '../contract/statements/all.ts';
import { everyReading, type Ledger, type Proof } from './conformance-ledger.ts';
import { code, table } from './tables/table.ts';

const testCode = (file: string): string => code(file.replace('test/', '').replace('.test.ts', ''));
const sources = (files: readonly string[]): string => files.map((file) => code(file.replace('src/', ''))).join('<br>');
const tests = (proofs: readonly Proof[]): string => proofs.map(({ file }) => testCode(file)).join('<br>');

/** The response to the case of the test table that breaks a rule, an order if possible. */
function refusalOf(id: string): string {
  const found = rows.filter(({ rule }) => rule === id);
  const refused = (found.find((row) => row.id === 'orders.create') ?? found[0])?.given.refused;
  if (!refused) return '';
  const [detail] = refused.details ?? [];
  const place = detail?.field ? ` at \`${detail.field}\`` : '';
  return ` Else ${refused.status}${place}: \`${refused.message}\`.`;
}

/** The contract's sentence, or the requirement with the response to a request that breaks it. */
function sentenceOf({ id, contract, requires, addition }: NumberedRule): string {
  const added = addition ? ` *Added:* ${addition}.` : '';
  return `${contract ?? `${requires}.${refusalOf(id)}`}${added}`;
}

const groupSection = ({ letters, title }: (typeof ruleGroups)[number], { rules }: Ledger): string => {
  const own = rules.filter(({ rule }) => rule.id.startsWith(`${letters}-`));
  const lines = own.map((row) => [
    row.rule.id,
    sentenceOf(row.rule),
    row.rule.standing,
    sources(row.sources),
    tests(row.proofs),
  ]);
  return `## ${title}\n\n${table(['Rule', 'Requirement', 'Source', 'Code', 'Tests'], lines)}`;
};

const intro = ({ rules, assumptions }: Ledger): string => `# Conformance

This page lists the code and the tests of each of the ${rules.length} rules of the contract, and of each of the ${assumptions.length} assumptions. It is
generated (\`npm run docs\`). A test fails if the page is stale, or if a rule or a choice has no test.

- **documented**: the contract says it. A part that we added is marked *Added*.
- **assumed**: the contract does not say it, and a real service may differ.

Code is in \`src/\` and tests are in \`test/\`. Run all tests of a rule with \`npx vitest run --project fast -t ORD-25\`.`;

const statementsSection = (): string => `## Statements of the contract

Each of these ${sections.flatMap(({ statements }) => statements).length} statements has a test of its own in ${testCode('test/contract/statements.test.ts')}. The last column names the rules and assumptions behind it.

${table(
  ['Section', 'Statement', 'Rules and assumptions'],
  sections.flatMap(({ title, statements }) => statements.map(([says, heldBy]) => [title, says, heldBy])),
)}`;

const choices = ({ choices: all }: Assumption): string => all.map(([choice]) => code(choice)).join(', ');

const assumptionsSection = ({ assumptions }: Ledger): string => `## Assumptions

[Assumptions](assumptions.md) has the question of each one. ${testCode(everyReading)} tests each of the ${
  assumptions.flatMap(({ assumption }) => assumption.choices).length
} choices.

${table(
  ['Assumption', 'Choices, default first', 'Code', 'More tests'],
  assumptions.map(({ id, assumption, sources: files, proofs }) => [
    code(id),
    choices(assumption),
    sources(files),
    tests(proofs),
  ]),
)}`;

const fixedSection = ({ notSettings: fixed }: Ledger): string => `## Open questions without a choice

${table(
  ['Id', 'Open question', 'The sandbox', 'Tests'],
  fixed.map(({ id, proofs }) => [code(id), fixedAnswers[id].question, fixedAnswers[id].answer, tests(proofs)]),
)}`;

/** The whole page. */
export const conformancePage = (ledger: Ledger): string =>
  `${[
    intro(ledger),
    statementsSection(),
    ...ruleGroups.map((group) => groupSection(group, ledger)),
    assumptionsSection(ledger),
    fixedSection(ledger),
  ].join('\n\n')}\n`;
