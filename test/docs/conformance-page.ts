// CONFORMANCE.md, written from the ledger. For each file of tests it shows the first name, and no number of tests: the page changes
// when a rule gains or loses a file that proves it, or that first test is another, and not with every further test.
import { assumptionRegister, fixedAnswers } from '../../src/contract/assumptions.ts';
import { type NumberedRule, ruleGroups } from '../../src/contract/rules.ts';
import { rows } from '../cases/table.ts';
import { type AssumptionRow, everyReading, type Ledger, type Proof, type RuleRow } from './conformance-ledger.ts';
import { table } from './tables/table.ts';

const source = (file: string): string => `[${file.replace('src/', '')}](${file})`;
const tests = (file: string): string => `[${file.replace('test/', '').replace('.test.ts', '')}](${file})`;
const sources = (files: readonly string[]): string => files.map(source).join('<br>');
const proof = ({ file, name }: Proof): string =>
  `${tests(file)}: ${name.replaceAll(' > ', ' › ').replaceAll('<', '&lt;')}`;
const proofs = (list: readonly Proof[]): string => list.map(proof).join('<br>');

/** The answer to the case of the test table that breaks a rule, of an order where it can be. */
function refusalOf(id: string): string {
  const found = rows.filter(({ rule }) => rule === id);
  const refused = (found.find((row) => row.id === 'orders.create') ?? found[0])?.given.refused;
  if (!refused) return '';
  const [detail] = refused.details ?? [];
  const place = detail?.field ? ` at \`${detail.field}\`` : '';
  return ` Else ${refused.status}${place}: \`${refused.message}\`.`;
}

/** What a rule says. One that only says what a request must hold is shown with the answer that its case of the test table gets. */
function sentenceOf({ id, contract, requires, addition }: NumberedRule): string {
  const added = addition ? ` *Ours:* ${addition}.` : '';
  return `${contract ?? `${requires}.${refusalOf(id)}`}${added}`;
}

const ruleLine = (row: RuleRow): string[] => [
  row.rule.id,
  sentenceOf(row.rule),
  row.rule.standing,
  sources(row.sources),
  proofs(row.proofs),
];

const groupSection = ({ letters, title }: (typeof ruleGroups)[number], { rules }: Ledger): string => {
  const own = rules.filter(({ rule }) => rule.id.startsWith(`${letters}-`));
  const head = ['rule', 'what it says', 'documented or assumed', 'implemented in', 'proved by'];
  return `## ${title}\n\n${table(head, own.map(ruleLine))}`;
};

const readingsOf = ({ assumption, unproven }: AssumptionRow): string =>
  assumption.choices
    .map(([reading, gloss], index) => {
      const shown = index === 0 ? `**\`${reading}\`**` : `\`${reading}\``;
      return `${shown}: ${gloss}${unproven.includes(reading) ? ' (no proof)' : ''}`;
    })
    .join('<br>');

const assumptionLine = (row: AssumptionRow): string[] => [
  `\`${row.id}\``,
  row.assumption.question,
  readingsOf(row),
  sources(row.sources),
  [`${tests(everyReading)}: each reading`, ...row.proofs.map(proof)].join('<br>'),
];

const intro = ({ rules, assumptions: assumed }: Ledger): string => `# Conformance

This page says, for each rule by which the sandbox reads the contract and for each assumption it makes where the contract is
silent, where it is implemented and which tests prove it:
${rules.length} rules, and ${assumed.length} assumptions with ${assumed.flatMap(({ assumption }) => assumption.choices).length} readings. It is generated from the [rules](src/contract/rules.ts), the
[register of assumptions](src/contract/assumptions.ts), the sources, and the names of the tests; a test fails when the page is stale, or when a rule or
a reading has no proof. \`npm run docs\` makes it anew.

**Documented** means that the contract says it, which is the interface document of the service itself; what such a rule leaves open and we added is told after *Ours*.
**Assumed** means that the document is silent, and the answer is our choice: a real service may differ. Where it could
plausibly differ in more than one way, the choice is a setting, and each of its readings can be turned on in any sandbox.

The answers shown are those that a test gets with the shipped fixtures. Status and words of every refusal stand in
${source('src/contract/rules.ts')}. A file of the sources counts where it names
the rule, in code or in the comment that cites it; a test where its name names the rule: of each file the first such test is shown. What a page or an OpenAPI document says of a rule proves nothing here. To run all proofs of a rule: \`npx vitest run --project memory -t ORD-25\`.`;

const assumptionsSection = ({ assumptions: assumed }: Ledger): string => `## Assumptions

All of these are assumed, and each is a setting; the default is in bold. ${tests(everyReading)} shows every reading as a client
meets it, and ${tests('test/http/admin/assumptions.test.ts')} turns each on in a running sandbox.

${table(
  ['assumption', 'what the contract does not show', 'readings', 'implemented in', 'proved by'],
  assumed.map(assumptionLine),
)}`;

const notSettingsSection = ({ notSettings: open }: Ledger): string => `## Not shown, and no setting

${table(
  ['id', 'what the contract does not show', 'what the sandbox does', 'proved by'],
  open.map(({ id, proofs: list }) => [`\`${id}\``, fixedAnswers[id].question, fixedAnswers[id].answer, proofs(list)]),
)}`;

const defaultOf = (id: 'numeric_strings' | 'over_max_limit'): string => `\`${assumptionRegister[id].choices[0][0]}\``;

const familySection = (): string => `## Where the defaults leave the family of the service

The messages and the error body of the contract are those of a hapi server with Joi's validation and Boom's errors. Where the
contract is silent, the default is therefore what these would answer; ${tests('test/contract/oracle.test.ts')} compares the
refusals of orders with Joi itself, and names the few differences. Two defaults leave this on purpose:

- \`numeric_strings\` is ${defaultOf('numeric_strings')}: Joi would take \`"30"\` for a number, but the contract says number.
- \`over_max_limit\` is ${defaultOf('over_max_limit')}: the largest accepted \`limit\` is our invention, so nobody is refused for exceeding it.

A GUID is 8-4-4-4-12 hexadecimal digits of any version and in either case, which is narrower than Joi's.`;

/** The whole page. */
export const conformancePage = (ledger: Ledger): string =>
  `${[
    intro(ledger),
    ...ruleGroups.map((group) => groupSection(group, ledger)),
    assumptionsSection(ledger),
    notSettingsSection(ledger),
    familySection(),
  ].join('\n\n')}\n`;
