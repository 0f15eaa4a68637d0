// Parts of JSON values of unknown form.
import type { FieldPath } from '../contract/refusal.ts';
import { isRecord } from '../contract/schema.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** The text of a field; undefined if there is no such text. */
export function textOf(record: unknown, name: string): string | undefined {
  const value = isRecord(record) ? record[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The records of a success: those of a list, or the single one, wrapped or bare. */
export function recordsIn(body: unknown): JsonRecord[] {
  if (!isRecord(body)) return [];
  const parts = textOf(body, 'id') === undefined ? Object.values(body).flat() : [body];
  return parts.filter((part): part is JsonRecord => textOf(part, 'id') !== undefined);
}

/** All texts in a JSON value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

type Item = readonly [path: FieldPath, value: unknown];

/** The items of the lists with this name in some values, each with its path. */
const itemsOf = (values: readonly Item[], name: string): Item[] =>
  values.flatMap(([path, value]) => {
    const list = isRecord(value) ? value[name] : undefined;
    return Array.isArray(list) ? list.map((item, at): Item => [[...path, name, at], item]) : [];
  });

/** The lines, pouches and contents of an order request. */
export const linesOf = (order: unknown): Item[] => itemsOf([[[], order]], 'order_lines');
export const pouchesOf = (order: unknown): Item[] => itemsOf(linesOf(order), 'pouches');
export const contentsOf = (order: unknown): Item[] => itemsOf(pouchesOf(order), 'contents');

/** A part of a URL; as it is if its percent-encoding is not valid. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
