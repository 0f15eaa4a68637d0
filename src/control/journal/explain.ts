// One fault of a refusal in words: the rule, the field, what came and what is allowed.
import { allowedCharacters, explanations } from '../../contract/explanations.ts';
import type { Fault, FieldPath } from '../../contract/refusal.ts';
import type { RuleId } from '../../contract/rules.ts';
import { preview } from './json-text.ts';
import type { Redactor } from './redaction.ts';
import { isSecretName } from './secrets.ts';

export interface Detail {
  readonly rule: RuleId;
  /** The dotted path; null for a refusal that is about no field. */
  readonly field: string | null;
  /** What came or was found, in at most 80 characters of JSON, or `nothing`; null where neither is meant. */
  readonly came: string | null;
  /** What is allowed or required. */
  readonly allowed: string;
  readonly sentence: string;
}

/** @param part what the fault's path is looked up in: the body, the query or the path's parameters */
export function explain({ rule, path, facts }: Fault, part: unknown, redactor: Redactor): Detail {
  const allowed = explanations[rule];
  const required = `required: ${allowed} (${rule})`;
  if (!path) return withoutField(rule, facts.found, redactor);
  const value = facts.names ?? cameAt(path, part, facts.value);
  const field = bounded(redactor.text(path.join('.')));
  const came = shown(path, value, redactor);
  const label = labelOf(path, field);
  const characters = allowedCharacters[rule];
  if (characters === undefined || typeof value !== 'string') {
    const what = value === undefined ? 'is missing' : `${facts.names ? 'names' : 'is'} ${came}`;
    return { rule, field, came, allowed, sentence: `${label} ${what}; ${required}` };
  }
  const length = `${value.length} characters`;
  const sentence = `${label} has ${length}; the contract allows ${characters} (${rule})`;
  return { rule, field, came: `${came} (${length})`, allowed, sentence };
}

/** A refusal that is about no field of the request may be about what it found, such as an order's status. */
function withoutField(rule: RuleId, found: unknown, redactor: Redactor): Detail {
  const allowed = explanations[rule];
  const required = `required: ${allowed} (${rule})`;
  if (found === undefined) return { rule, field: null, came: null, allowed, sentence: required };
  const came = preview(redactor.value(found));
  return { rule, field: null, came, allowed, sentence: `found ${came}; ${required}` };
}

/** The value at a path; where there is none, what the fault itself tells. */
function cameAt(path: FieldPath, part: unknown, told: unknown): unknown {
  const value = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    part,
  );
  return value === undefined ? told : value;
}

function shown(path: FieldPath, value: unknown, redactor: Redactor): string {
  const secret = path.find((key) => typeof key === 'string' && isSecretName(key));
  return preview(secret === undefined ? redactor.value(value) : redactor.field(String(secret), value));
}

const maxFieldCharacters = 200;
/** A client may name a field as long as a body. */
const bounded = (field: string): string =>
  field.length > maxFieldCharacters ? `${field.slice(0, maxFieldCharacters - 1)}…` : field;

/** The field's own name, or the whole path where it takes a list's index to find it. */
function labelOf(path: FieldPath, field: string): string {
  const isPlain = path.every((key) => typeof key === 'string');
  return (isPlain ? field.slice(field.lastIndexOf('.') + 1) : field) || 'the body';
}
