// A form's fields as the JSON body of an operation. A field's name is the way to its value, with what the value is behind a colon:
// `rate_limit.burst:number`. A field that is left empty is not said.
import { cannot } from '../contract/admin/refusals.ts';
import { isRecord } from '../contract/schema.ts';
import { jsonBounds } from '../http/admin/parts.ts';
import { jsonIn } from '../http/json-body.ts';

type Kind = 'text' | 'number' | 'yes' | 'no' | 'list' | 'null' | 'object' | 'json';
type Tree = { [key: string]: unknown };

/** What forms of the console never come near. */
const maxFields = 1000;
const maxLevels = 16;

/** The field that says what to say once it is done. */
export const doneField = '_done';

const newTree = (): Tree => Object.create(null);

/** Texts by kind, as what they stand for; a text that is none stays itself, for the operation's schema to refuse. */
const readers: Readonly<Record<Kind, (texts: readonly string[]) => unknown>> = {
  text: ([text]) => text,
  number: ([text = '']) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text),
  yes: () => true,
  no: () => false,
  list: (texts) => texts.flatMap((text) => text.split(/[\s,]+/)).filter((text) => text !== ''),
  null: () => null,
  object: newTree,
  json: ([text = '']) => parsed(text),
};

const isKind = (text: string): text is Kind => Object.hasOwn(readers, text);
/** Names that lead out of an object. */
const isOutside = (name: string): boolean => name === '__proto__' || name === 'constructor' || name === 'prototype';

/**
 * @throws ControlRefusal 422 for a name that is no way to a value
 * @example bodyOf(new URLSearchParams('rate_limit.burst:number=3')); // { rate_limit: { burst: 3 } }
 */
export function bodyOf(form: URLSearchParams): unknown {
  const body = newTree();
  for (const [name, texts] of fieldsIn(form)) {
    const [path = '', kind = 'text', ...more] = name.split(':');
    const way = path.split('.');
    if (!isKind(kind) || more.length > 0 || way.length > maxLevels || way.some(isOutside))
      throw cannot(name.slice(0, 80), 'A form of the console has no such field');
    put(body, way, readers[kind](texts));
  }
  return body;
}

/** What was given, by the fields' names. */
function fieldsIn(form: URLSearchParams): ReadonlyMap<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, text] of form) {
    if (text === '' || name === doneField) continue;
    const texts = fields.get(name);
    if (texts) texts.push(text);
    else fields.set(name, [text]);
    if (fields.size > maxFields) throw cannot('form', `A form of the console has at most ${maxFields} fields`);
  }
  return fields;
}

/** Where several fields meet in one object, none takes the others' place. */
function put(body: Tree, way: readonly string[], value: unknown): void {
  let at = body;
  for (const name of way.slice(0, -1)) {
    const under = at[name];
    const branch: Tree = isRecord(under) ? under : newTree();
    at[name] = branch;
    at = branch;
  }
  const last = way.at(-1) ?? '';
  if (!isRecord(at[last]) || !isRecord(value)) at[last] = value;
}

function parsed(text: string): unknown {
  const json = jsonIn(text, jsonBounds);
  return json ? json.value : text;
}
