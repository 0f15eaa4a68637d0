// The table of errors: every rule that can reject a call. Status and message come from the case table, whose cases tests
// send to the server. For a rule without a case they come from the response that the server would make.
import { type AssumptionId, assumptionRegister } from '../../../src/contract/assumptions.ts';
import { answerTo, Refusal } from '../../../src/contract/refusal.ts';
import { Assumptions, resolveChoices } from '../../../src/contract/resolved-assumptions.ts';
import { type Facts, type Rule, type RuleId, rules } from '../../../src/contract/rules.ts';
import { type Row, rows } from '../../cases/table.ts';
import { code, codes, table } from './table.ts';

/** Without faults, which a tester sets, and limits of the sandbox. */
export const clientRules = (Object.keys(rules) as RuleId[]).filter((rule) => !/^(?:fault|max)_/.test(rule));

/** Values in the messages of rules without a case. */
const facts: Partial<Record<RuleId, Facts>> = {
  unknown_sandbox: { value: 'w9' },
  unknown_host: { value: 'sachet' },
  malformed_host: { value: 'a, b' },
  no_room: { value: 'w9', what: 'the server already has 1000 sandboxes, the maximum; …' },
};

/** Cases set these to distinguish tokens; the rule rejects without them. */
const notNeeded: readonly string[] = ['unauthorized_message'] satisfies AssumptionId[];

type Choices = Partial<Record<AssumptionId, string>>;

/** The cases of a rule that differ in more than the field's name. Those of an order come first, as in the contract. */
function casesOf(rule: RuleId): readonly Row[] {
  const all = rows.filter((row) => row.rule === rule);
  const ordered = [...all.filter(({ id }) => id === 'orders.create'), ...all];
  const kinds = ordered.map(({ given }) => kindOf(given.rejection));
  return ordered.filter((_, index) => kinds.indexOf(kinds[index] ?? '') === index);
}

const kindOf = ({ status, message }: Row['given']['rejection']): string =>
  `${status} ${message.replace(/^"[^"]*"/, '"…"')}`;

/** The value with the default choices, then with others. */
function perChoice(make: (assumptions: Assumptions) => unknown, show: (values: readonly unknown[]) => string): string {
  const usual = new Assumptions(resolveChoices(), []);
  const value = make(usual);
  const others = [...usual.used].map((id) => {
    const made = assumptionRegister[id].choices.map(([choice]) =>
      make(new Assumptions(resolveChoices({ [id]: choice }), [])),
    );
    return `; with ${code(id)}: ${show([...new Set(made)].filter((other) => other !== value))}`;
  });
  return show([value]) + others.join('');
}

function statusCell(rule: RuleId): string {
  const { status }: Rule = rules[rule];
  const usual = perChoice(
    (assumptions) => (typeof status === 'function' ? status(assumptions) : status),
    (values) => values.join(', '),
  );
  const inQuery = casesOf(rule)
    .filter(({ given }) => given.request?.path?.includes('?'))
    .map(({ given }) => String(given.rejection.status))
    .find((other) => !usual.startsWith(other));
  return inQuery === undefined ? usual : `${usual}; ${inQuery} in a query`;
}

function messageCell(rule: RuleId): string {
  if (rule === 'FUL-4' || rule === 'storage_auth') return 'an S3 error in XML';
  const { message }: Rule = rules[rule];
  const messages = casesOf(rule).map(({ given }) => given.rejection.message);
  if (messages.length === 0)
    return code(answerTo(new Refusal(rule, facts[rule]), new Assumptions(resolveChoices(), [])).body.message);
  const assumptions = new Assumptions(resolveChoices(), []);
  if (typeof message !== 'function') return codes([...new Set(messages)]);
  message({}, assumptions);
  return assumptions.used.size > 0 ? perChoice((each) => message({}, each), codes) : codes([...new Set(messages)]);
}

/** The assumptions that turn a rule off by default: all of its cases set them. */
export function assumptionsOf(rule: RuleId): readonly AssumptionId[] {
  const [first = {}, ...others] = rows
    .filter((row) => row.rule === rule)
    .map(({ given }): Choices => ({ ...given.assumptions }));
  const ids = Object.keys(first) as AssumptionId[];
  return ids.filter((id) => !notNeeded.includes(id) && others.every((other) => other[id] === first[id]));
}

function requiredCell(rule: RuleId): string {
  const words = rules[rule].requires;
  const [id] = assumptionsOf(rule);
  return id ? `${words}; off by default (${code(`${id}=${assumptionRegister[id].choices[0][0]}`)})` : words;
}

export function errorsTable(): string {
  const cells = clientRules.map((rule) => [code(rule), statusCell(rule), messageCell(rule), requiredCell(rule)]);
  return table(['Rule', 'Status', 'Message', 'Required'], cells);
}
