// Turns a form's fields into the JSON body of an operation. A field's name is the path to its value and, after a colon, the value's kind:
// `rate_limit.burst:number`. Empty fields are left out.
import { cannot } from '../contract/control/control-operation.ts';
import { isRecord } from '../contract/schema.ts';
import { jsonIn } from '../http/body.ts';
import { jsonBounds } from '../http/control/app.ts';

type Kind = 'text' | 'number' | 'yes' | 'no' | 'list' | 'null' | 'object' | 'json';
type Tree = { [key: string]: unknown };

/** Far more than any form of the console has. */
const maxFields = 1000;
const maxLevels = 16;

/** The field with the message to show when the operation has succeeded. */
export const doneField = '_done';

const newTree = (): Tree => Object.create(null);

/** Convert texts by kind. A text that cannot be converted stays a text, and the operation's schema refuses it. */
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
/** Names that would reach an object's prototype. */
const isUnsafe = (name: string): boolean => name === '__proto__' || name === 'constructor' || name === 'prototype';

/**
 * @throws ControlRefusal 422 for an invalid field name
 * @example bodyOf(new URLSearchParams('rate_limit.burst:number=3')); // { rate_limit: { burst: 3 } }
 */
export function bodyOf(form: URLSearchParams): unknown {
  const body = newTree();
  for (const [name, texts] of fieldsIn(form)) {
    const [path = '', kind = 'text', ...more] = name.split(':');
    const way = path.split('.');
    if (!isKind(kind) || more.length > 0 || way.length > maxLevels || way.some(isUnsafe))
      throw cannot(name.slice(0, 80), 'A form of the console has no such field');
    put(body, way, readers[kind](texts));
  }
  return body;
}

/** The non-empty values by field name. */
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

/** Fields with a common path end up in one object. */
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
