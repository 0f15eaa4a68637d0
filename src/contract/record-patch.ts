// A record of the data model after a merge patch.
import { emptyFields } from './admin/given-record.ts';
import { mergePatch } from './merge-patch.ts';
import type { CollectionName } from './records.ts';
import { isRecord } from './schema.ts';

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
