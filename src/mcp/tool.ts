// What a tool is: its input, and its result as text that a model reads well, bounded, with errors that say what to do.
import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ControlError } from '../client/control-client.ts';
import { printable } from '../client/printable.ts';
import type { Sachet } from '../client/sachet.ts';
import type { Sandbox } from '../client/sandbox.ts';
import { sandboxName } from '../contract/addresses.ts';
import { cursorAfter } from '../contract/control/paging.ts';
import { didYouMean, withNearest } from '../contract/nearest.ts';

/** What the tools of one caller act on. */
export interface McpContext {
  readonly sachet: Sachet;
  /** The sandbox of tools that name no other one. */
  readonly sandbox: string;
  /** True if the key is the own key of that sandbox, and valid for no other one. */
  readonly isOwnKey: boolean;
  /** The version of Sachet. */
  readonly version: string;
}

export interface Tool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  /** One or two sentences. */
  readonly description: string;
  /** The arguments besides `sandbox`. */
  readonly input: Shape;
  readonly annotations: ToolAnnotations;
  /** Returns the lines of the result. @throws Error with a message for the model */
  run(sandbox: Sandbox, input: z.output<z.ZodObject<Shape>>, context: McpContext): Promise<readonly string[]>;
}

export const tool = <Shape extends z.ZodRawShape>(definition: Tool<Shape>): Tool => definition as unknown as Tool;

/** Annotations of a tool that only reads. */
export const reads = { readOnlyHint: true, openWorldHint: false };
/** Annotations of a tool that changes a sandbox. */
export const writes = { readOnlyHint: false, openWorldHint: false, idempotentHint: false, destructiveHint: false };
/** The same, for a tool whose repeated call changes nothing more. */
export const writesOnce = { ...writes, idempotentHint: true };

/** An argument that a call can leave out. */
export const text = (description: string) => z.string().optional().describe(description);

/** The name of a sandbox. */
export const nameOfSandbox = z.string().regex(sandboxName, {
  error: ({ input }) =>
    `${quoted(input)} is not a sandbox name; use lowercase letters, digits, ".", "_" and "-", such as w7`,
});

/** One of the names. The error for another value has the nearest name. */
export const oneOf = <const Names extends readonly string[]>(names: Names) =>
  z.enum(names, {
    error: ({ input }) => withNearest(`${quoted(input)} is not one of ${names.join(', ')}`, String(input), names),
  });

/** Also adds the argument `sandbox`, unless the tool has its own. */
export function registerTool(
  server: McpServer,
  { input: shape, run, name, ...texts }: Tool,
  context: McpContext,
): void {
  const all = { sandbox: nameOfSandbox.default(context.sandbox).describe('name of the sandbox'), ...shape };
  const schema = z.strictObject(all, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownArguments(issue.keys, Object.keys(all)) : undefined),
  });
  const inputSchema = {
    '~standard': { ...schema['~standard'], validate: (value: unknown) => oneIssue(schema, value) },
  };
  server.registerTool(name, { ...texts, inputSchema }, async ({ sandbox, ...input }): Promise<CallToolResult> => {
    const selected = String(sandbox ?? context.sandbox);
    try {
      const own = 'sandbox' in shape ? { ...input, sandbox } : input;
      return result(await run(context.sachet.sandbox(selected), own, context));
    } catch (error) {
      return { ...result(await problemOf(error, selected, context)), isError: true };
    }
  });
}

const unknownArguments = ([key = '']: readonly string[], known: readonly string[]): string =>
  withNearest(`unknown argument ${quoted(key)}; the arguments are: ${known.join(', ')}`, key, known);

/** Validates. A value can break a schema in many places, which the one issue names in a short text. */
async function oneIssue(schema: z.ZodObject, value: unknown) {
  const { data, error } = await schema.safeParseAsync(value);
  if (!error) return { value: data };
  const problems = error.issues.slice(0, 20).map(({ path, message }) => [...path, message].join(': '));
  return { issues: [{ message: short(problems.join(', '), 2000) }] };
}

/** Each line stays one line, whichever characters it quotes. */
const result = (lines: readonly string[]): CallToolResult => ({
  content: [{ type: 'text', text: bounded(lines.map(printable).join('\n')) }],
});

/** No result is larger. */
const maxBytes = 16_000;
const cutNote = '\n[cut here: narrow the call, for example with a filter]';
const encoder = new TextEncoder();

/** The text, cut to 16,000 bytes of UTF-8. */
export function bounded(text: string): string {
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return text;
  // With `stream`, it omits a character whose bytes are cut.
  return new TextDecoder().decode(bytes.subarray(0, maxBytes - cutNote.length), { stream: true }) + cutNote;
}

/** The beginning of a text that has more than `max` characters, and how many it has. */
export const short = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max)}… [${text.length} characters]` : text;

/** A value of a call, for an error. */
export const quoted = (value: unknown): string => short(String(JSON.stringify(value)), 80);

// Errors.

/** The lines for an error: what failed, with which value, what exists, and what to do next. */
async function problemOf(error: unknown, sandbox: string, context: McpContext): Promise<string[]> {
  if (!(error instanceof ControlError)) return String(error instanceof Error ? error.message : error).split('\n');
  const { status, message, body } = error;
  if (status === 401) return [`The key does not work for this call on the sandbox "${sandbox}". ${keyHint(context)}`];
  if (status === 404 && message.includes('There is no sandbox')) {
    const names = (await context.sachet.sandboxes().catch(() => [])).map(({ name }) => name);
    return [
      `There is no sandbox "${sandbox}".${didYouMean(sandbox, names)}`,
      ...(names.length > 0 ? [`existing: ${short(names.join(', '), 1000)}`] : []),
      'Pass one of these as `sandbox`, or create it with create_sandbox.',
    ];
  }
  const { details = [] } = (body ?? {}) as { readonly details?: readonly { field: string; message: string }[] };
  // No tool deletes a sandbox.
  return [
    message.replace('delete it first, or ', ''),
    ...details.slice(1).map((one) => `  ${one.field}: ${one.message}`),
  ];
}

const keyHint = ({ isOwnKey, sandbox }: McpContext): string =>
  isOwnKey
    ? `It is the own key of the sandbox "${sandbox}", and cannot use or create others: pass that name, or connect with ` +
      'the admin key.'
    : 'Use the admin key, which the server prints when it starts (SACHET_ADMIN_KEY), or the own key of that sandbox.';

// Pages.

/** The arguments of a list. */
export const paging = (usual: number) => ({
  limit: z.int().min(1).max(100).default(usual).describe('items per page; a page also ends at about 4 kB'),
  cursor: text('next_cursor of the page before'),
});

const pageBytes = 3600;

interface Line {
  readonly id: string;
  readonly line: string;
}

/** The arguments that `paging` declares. */
export interface Page {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * The lines of one page, and a last one with `next_cursor` if there are more.
 * @throws Error for a cursor of another list
 */
export function pageOf(all: readonly Line[], { limit, cursor }: Page): string[] {
  const start = cursor === undefined ? 0 : all.findIndex(({ id }) => cursorAfter(id) === cursor) + 1;
  if (cursor !== undefined && start === 0)
    throw new Error(`The cursor "${short(cursor, 80)}" is not from this list; call again without it.`);
  const lines: string[] = [];
  let bytes = 0;
  for (const { line } of all.slice(start, start + limit)) {
    bytes += encoder.encode(line).length;
    if (lines.length > 0 && bytes > pageBytes) break;
    lines.push(line);
  }
  const end = start + lines.length;
  const last = all[end - 1];
  const left = all.length - end;
  return left > 0 && last ? [...lines, `next_cursor: ${cursorAfter(last.id)} (${left} more)`] : lines;
}
