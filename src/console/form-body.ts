// Reads forms. The fields become the JSON body of an operation: a field's name is the path of its value, then a colon
// and the type, as in `rate_limit.burst:number`. Empty fields are left out. A form may have a file instead.
import { toIsoDuration } from '../contract/control/clock.ts';
import { ControlRefusal, cannot } from '../contract/control/control-operation.ts';
import { Refusal } from '../contract/refusal.ts';
import { isRecord } from '../contract/schema.ts';
import { boundedBytes, parseJson } from '../http/body.ts';
import { jsonBounds } from '../http/control/app.ts';
import type { AppContext } from '../http/request-context.ts';

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

/** The bytes of a form; undefined if they are too many. @throws ControlRefusal 400 if its sender went away */
export const formBytes = (context: AppContext, maxBytes: number): Promise<Uint8Array | undefined> =>
  boundedBytes(context, maxBytes).catch((error: unknown) => {
    throw error instanceof Refusal ? error : new ControlRefusal(400, 'The form is incomplete. Send it again');
  });

/**
 * The file in the field `file` of a multipart form; undefined if the form is too large.
 * @throws ControlRefusal 400 without a file
 */
export async function formFile(context: AppContext, maxBytes: number): Promise<File | undefined> {
  const bytes = await formBytes(context, maxBytes);
  if (!bytes) return undefined;
  const { url, headers } = context.req.raw;
  const type = { 'content-type': headers.get('content-type') ?? '' };
  const received = new Request(url, { method: 'POST', headers: type, body: bytes as Uint8Array<ArrayBuffer> });
  const file = (await received.formData().catch(() => undefined))?.get('file');
  if (file instanceof File && file.size > 0) return file;
  throw new ControlRefusal(400, 'The form has no file, or an empty one. Choose a file and send it again');
}
