// JSON merge patch (RFC 7396): a patch's fields replace those of the target, null takes a field away, lists are replaced whole.
import { emptyFields } from './admin/given-record.ts';
import type { CollectionName } from './records.ts';
import { isRecord } from './schema.ts';

/**
 * The target after the patch. Neither is touched; the result may share parts with both.
 * A key such as `__proto__` is a field like any other and reaches no prototype.
 * @example mergePatch({ a: 1, b: { c: 2 } }, { a: null, b: { d: 3 } }) // { b: { c: 2, d: 3 } }
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged = new Map(isRecord(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

// A record of the data model after a merge patch.

/**
 * The record after the patch, still to be checked by its schema. RFC 7396 takes a field away by null; the records have all their
 * fields, so one that may be null becomes null.
 */
export function patchRecord(name: CollectionName, record: unknown, patch: unknown): unknown {
  const patched = mergePatch(record, patch);
  if (!isRecord(patch) || !isRecord(patched)) return patched;
  const mayBeNull = emptyFields(name);
  const emptied = Object.keys(patch).filter((field) => patch[field] === null && Object.hasOwn(mayBeNull, field));
  return { ...patched, ...Object.fromEntries(emptied.map((field) => [field, null])) };
}
