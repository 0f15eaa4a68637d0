// The ledger: each rule and assumption with the sources that implement it and the tests that prove it, and what is missing of either.
import {
  type Assumption,
  type AssumptionId,
  assumptionIds,
  assumptionRegister,
  fixedAnswers,
} from '../../src/contract/assumptions.ts';
import { type NumberedRule, numberedRules } from '../../src/contract/rules.ts';
import { decides, enforces, type ListedTest, type SourceFile } from '../support/ledger-inputs.ts';
import { follows, isAbout, rulesOfSource, rulesOfTest } from '../support/ledger-mentions.ts';

/** A file of tests that name it, and the first of these names. */
export interface Proof {
  readonly file: string;
  readonly name: string;
}

interface Evidence {
  readonly sources: readonly string[];
  readonly proofs: readonly Proof[];
}

interface RuleRow extends Evidence {
  readonly rule: NumberedRule;
}

interface AssumptionRow extends Evidence {
  readonly id: AssumptionId;
  readonly assumption: Assumption;
  /** Choices that no test of `everyReading` shows. */
  readonly unproven: readonly string[];
}

interface OpenRow {
  readonly id: keyof typeof fixedAnswers;
  readonly proofs: readonly Proof[];
}

export interface Ledger {
  readonly rules: readonly RuleRow[];
  readonly assumptions: readonly AssumptionRow[];
  readonly notSettings: readonly OpenRow[];
}

/** The test that shows every reading of every assumption; its names are made of the register. */
export const everyReading = 'test/http/assumptions.test.ts';

/** One proof for each file: the first test there that names it. */
function proofsOf(tests: readonly ListedTest[]): Proof[] {
  const byFile = new Map<string, Proof>();
  for (const { file, name } of tests) if (!byFile.has(file)) byFile.set(file, { file, name });
  return [...byFile.values()];
}

function assumptionRow(id: AssumptionId, tests: readonly ListedTest[], sources: readonly SourceFile[]): AssumptionRow {
  const assumption: Assumption = assumptionRegister[id];
  const shown = new Set(tests.filter(({ file }) => file === everyReading).map(({ name }) => name));
  const further = tests.filter(({ file, name }) => file !== everyReading && isAbout(id, assumption, name));
  return {
    id,
    assumption,
    sources: sources.filter((source) => decides(source) && follows(id, source.text)).map(({ file }) => file),
    proofs: proofsOf(further),
    unproven: assumption.choices
      .filter(([reading, gloss]) => !shown.has(`${id}: ${assumption.question} > ${reading}: ${gloss}`))
      .map(([reading]) => reading),
  };
}

/** The names of `everyReading` prove readings, not the rules that a gloss happens to name. */
export function ledgerOf(tests: readonly ListedTest[], sources: readonly SourceFile[]): Ledger {
  const named = tests
    .filter(({ file }) => file !== everyReading)
    .map((test) => ({ ...test, rules: rulesOfTest(test.name) }));
  const enforced = sources.filter(enforces).map(({ file, text }) => ({ file, rules: rulesOfSource(text) }));
  return {
    rules: numberedRules.map((rule) => ({
      rule,
      sources: enforced.filter(({ rules }) => rules.has(rule.id)).map(({ file }) => file),
      proofs: proofsOf(named.filter(({ rules }) => rules.has(rule.id))),
    })),
    assumptions: assumptionIds.map((id) => assumptionRow(id, tests, sources)),
    notSettings: (Object.keys(fixedAnswers) as OpenRow['id'][]).map((id) => ({
      id,
      proofs: proofsOf(tests.filter(({ name }) => name.includes(`\`${id}\``))),
    })),
  };
}

/** What the ledger lacks: rules, readings and other gaps without a proof, and rules and assumptions without an implementation. */
export function gapsOf({ rules, assumptions: assumed, notSettings: others }: Ledger): string[] {
  const held = [...rules.map((row) => ({ ...row, id: row.rule.id })), ...assumed];
  return [
    ...held.filter(({ sources }) => sources.length === 0).map(({ id }) => `${id}: no source names it`),
    ...rules.filter(({ proofs }) => proofs.length === 0).map(({ rule }) => `${rule.id}: no test names it`),
    ...assumed.flatMap(({ id, unproven }) => unproven.map((reading) => `${id}=${reading}: no test shows it`)),
    ...others.filter(({ proofs }) => proofs.length === 0).map(({ id }) => `${id}: no test names it`),
  ];
}
