// The table of errors: every rule by which a call can be refused. Statuses and words are those of the case table, which is put to the
// server by tests; of a rule that no case shows, those of the answer that the server makes of it.
import { type AssumptionId, assumptionRegister } from '../../../src/contract/assumptions.ts';
import { answerTo, Refusal } from '../../../src/contract/refusal.ts';
import { Assumptions, resolveChoices } from '../../../src/contract/resolved-assumptions.ts';
import { type Facts, type Rule, type RuleId, rules } from '../../../src/contract/rules.ts';
import { type Row, rows } from '../../cases/table.ts';
import { code, codes, table } from './table.ts';

/** What a tester sets, and a bound of the sandbox: no fault of the client's. */
const notOfClients: readonly RuleId[] = [
  'max_records',
  'max_memory',
  'max_delayed',
  'fault_400',
  'fault_404',
  'fault_422',
];
export const clientRules = (Object.keys(rules) as RuleId[]).filter((rule) => !notOfClients.includes(rule));

/** What a message names, of rules that no case shows. */
const facts: Partial<Record<RuleId, Facts>> = {
  unknown_sandbox: { value: 'w9' },
  unknown_host: { value: 'sachet' },
  malformed_host: { value: 'a, b' },
  no_room: { value: 'w9', what: 'the server already has 1000 sandboxes, the maximum; …' },
};

/** Cases turn these to tell one token from another; the rule refuses without it. */
const notNeeded: readonly string[] = ['unauthorized_message', 'refresh_token_lifetime'] satisfies AssumptionId[];

interface Told {
  readonly status: number;
  readonly message: string;
}

/** Of a rule's cases those that differ in more than the field's name; an order's come first, as the contract shows these. */
export function casesOf(rule: RuleId): readonly Row[] {
  const all = rows.filter((row) => row.rule === rule);
  const ordered = [...all.filter(({ id }) => id === 'orders.create'), ...all];
  const kinds = ordered.map(({ given }) => kindOf(given.refused));
  return ordered.filter((_, index) => kinds.indexOf(kinds[index] ?? '') === index);
}

export const kindOf = ({ status, message }: Told): string => `${status} ${message.replace(/^"[^"]*"/, '"…"')}`;

/** By the default readings, then what it is by others. */
function byReadings(make: (assumptions: Assumptions) => unknown, show: (values: readonly unknown[]) => string): string {
  const usual = new Assumptions(resolveChoices(), []);
  const value = make(usual);
  const others = [...usual.used].map((id) => {
    const made = assumptionRegister[id].choices.map(([reading]) =>
      make(new Assumptions(resolveChoices({ [id]: reading }), [])),
    );
    return `; ${show([...new Set(made)].filter((other) => other !== value))} by ${code(id)}`;
  });
  return show([value]) + others.join('');
}

function statusCell(rule: RuleId): string {
  const { status }: Rule = rules[rule];
  const usual = byReadings(
    (assumptions) => (typeof status === 'function' ? status(assumptions) : status),
    (values) => values.join(', '),
  );
  const inQuery = casesOf(rule)
    .filter(({ given }) => given.request?.path?.includes('?'))
    .map(({ given }) => String(given.refused.status))
    .find((other) => !usual.startsWith(other));
  return inQuery === undefined ? usual : `${usual}; ${inQuery} in a query`;
}

function messageCell(rule: RuleId): string {
  if (rule === 'FUL-4') return "the storage's own, in XML";
  const { message }: Rule = rules[rule];
  const messages = casesOf(rule).map(({ given }) => given.refused.message);
  if (messages.length === 0)
    return code(answerTo(new Refusal(rule, facts[rule]), new Assumptions(resolveChoices(), [])).body.message);
  const assumptions = new Assumptions(resolveChoices(), []);
  if (typeof message !== 'function') return codes([...new Set(messages)]);
  message({}, assumptions);
  return assumptions.used.size > 0 ? byReadings((each) => message({}, each), codes) : codes([...new Set(messages)]);
}

/** The assumptions by whose default it does not refuse: those that all of its cases turn. */
export function turnedFor(rule: RuleId): readonly AssumptionId[] {
  const turned = rows.filter((row) => row.rule === rule).map(({ given }) => Object.entries(given.assumptions ?? {}));
  const shared = (turned[0] ?? []).filter(
    ([id, reading]) =>
      !notNeeded.includes(id) && turned.every((all) => all.some(([other, its]) => other === id && its === reading)),
  );
  return shared.map(([id]) => id as AssumptionId);
}

function requiredCell(rule: RuleId): string {
  const words = rules[rule].requires.replaceAll('<', '\\<');
  const [id] = turnedFor(rule);
  return id ? `${words}; not by default (${code(`${id}=${assumptionRegister[id].choices[0][0]}`)})` : words;
}

export function errorsTable(): string {
  const cells = clientRules.map((rule) => [code(rule), statusCell(rule), messageCell(rule), requiredCell(rule)]);
  return table(['rule', 'status', 'message', 'what is required'], cells);
}
