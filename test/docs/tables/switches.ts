// The tables of the switches and of a fault's fields, made from their schemas.
import { z } from 'zod';
import { fault, switches } from '../../../src/contract/control/switches.ts';
import { code, codes, table } from './table.ts';

/** @throws Error if a schema has no description. */
function descriptionOf(name: string, schema: z.ZodType): string {
  if (schema.description) return schema.description;
  if (schema instanceof z.ZodOptional) return descriptionOf(name, schema.unwrap() as z.ZodType);
  throw new Error(`${name} has no description in its schema`);
}

/** The allowed values of an enum or a literal. */
function valuesOf(schema: z.ZodType): readonly unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodArray) return valuesOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodEnum) return schema.options;
  return schema instanceof z.ZodLiteral ? [...schema.values] : [];
}

function nameOf(name: string, schema: z.ZodType): string {
  const values = valuesOf(schema);
  if (values.length === 0) return code(name);
  return values.length === 1 ? code(`${name}: ${values[0]}`) : `${code(name)} (${codes(values)})`;
}

const fieldsOf = (name: string, { shape }: z.ZodObject): string[][] =>
  Object.entries(shape).map(([field, schema]) => [
    nameOf(field, schema as z.ZodType),
    descriptionOf(`${name}.${field}`, schema as z.ZodType),
  ]);

export function switchesTable(): string {
  const rows = Object.entries(switches).map(([name, schema]) => [
    code(name),
    descriptionOf(name, schema),
    fieldsOf(name, schema)
      // Every switch has it; the page says so once.
      .filter(([field]) => field !== code('match'))
      .map((cells) => cells.join(': '))
      .join('<br>'),
  ]);
  return table(['Switch', 'Effect', 'Fields'], rows);
}

export const faultTable = (): string => table(['Field', 'Meaning'], fieldsOf('fault', fault));
