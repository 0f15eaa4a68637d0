// Turns the fields of a form into the JSON body of an operation. A field's name is the path of its value, then a colon
// and the type: `rate_limit.burst:number`. Empty fields are left out.
import { toIsoDuration } from '../contract/control/clock.ts';
import { cannot } from '../contract/control/control-operation.ts';
import { isRecord } from '../contract/schema.ts';
import { parseJson } from '../http/body.ts';
import { jsonBounds } from '../http/control/app.ts';

type Tree = { [key: string]: unknown };

/** Far more than any form of the console has. */
const maxFields = 1000;
const maxLevels = 16;

/** The field with the message to show when the operation has succeeded. */
export const doneField = '_done';

const newTree = (): Tree => Object.create(null);

/** A text that cannot be converted stays a text, and the schema of the operation refuses it. */
const converters = {
  text: ([text = '']) => text,
  number: ([text = '']) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text),
  list: (texts) => texts.flatMap((text) => text.split(/[\s,]+/)).filter((text) => text !== ''),
  json: ([text = '']) => {
    const json = parseJson(text, jsonBounds);
    return json ? json.value : text;
  },
  /** Of `<input type="datetime-local">`, which leaves out `:00`. */
  utc: ([text = '']) =>
    text.replace(/^([\d-]+T\d\d:\d\d)(:[\d.]+)?$/, (_, minutes, seconds = ':00') => `${minutes}${seconds}Z`),
  duration: ([text = '']) => {
    const duration = toIsoDuration(text);
    if (duration !== undefined) return duration;
    throw cannot('form', `"${text.slice(0, 40)}" is not a duration. Write 90 minutes, 1 day 3 hours, 2h or PT90M`);
  },
} satisfies Record<string, (texts: readonly string[]) => unknown>;

const isType = (text: string): text is keyof typeof converters => Object.hasOwn(converters, text);
/** Names that would reach an object's prototype. */
const isUnsafe = (name: string): boolean => name === '__proto__' || name === 'constructor' || name === 'prototype';

/**
 * @throws ControlRefusal 422 for an invalid field name or too many fields
 * @example bodyOf(new URLSearchParams('rate_limit.burst:number=3')); // { rate_limit: { burst: 3 } }
 */
export function bodyOf(form: URLSearchParams): unknown {
  if (form.size > maxFields) throw cannot('form', `A form of the console has at most ${maxFields} fields`);
  const body = newTree();
  for (const name of new Set(form.keys())) {
    const texts = form.getAll(name).filter((text) => text !== '');
    if (name === doneField || texts.length === 0) continue;
    const [path = '', type = 'text', ...more] = name.split(':');
    const keys = path.split('.');
    if (!isType(type) || more.length > 0 || keys.length > maxLevels || keys.some(isUnsafe))
      throw cannot(name.slice(0, 80), 'This is not a field of a form of the console');
    setAt(body, keys, converters[type](texts));
  }
  return body;
}

/** Fields with a common path end up in one object. */
function setAt(body: Tree, keys: readonly string[], value: unknown): void {
  let target = body;
  for (const key of keys.slice(0, -1)) {
    const branch: Tree = isRecord(target[key]) ? target[key] : newTree();
    target[key] = branch;
    target = branch;
  }
  const last = keys.at(-1) ?? '';
  if (!isRecord(target[last]) || !isRecord(value)) target[last] = value;
}
