// The resources: the rules of the contract, its OpenAPI document by operation, and the records by collection.
import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from '@modelcontextprotocol/server';
import { openApiPath } from '../contract/addresses.ts';
import { withNearest } from '../contract/nearest.ts';
import { operations } from '../contract/operations.ts';
import { type CollectionName, collectionNames } from '../contract/records.ts';
import { allRuleIds, ruleIndex, rulePage } from './rules.ts';
import { bounded, type McpContext, quoted } from './tool.ts';

type OperationId = keyof typeof operations;
const operationIds = Object.keys(operations) as OperationId[];

/** A list of texts at one URI, and each text at `{uri}/{variable}`. */
interface Family {
  readonly uri: string;
  readonly variable: string;
  readonly description: string;
  /** The description of one text. */
  readonly one: string;
  readonly mimeType: string;
  /** The values of the variable. */
  readonly names: readonly string[];
  index(): Promise<string> | string;
  read(name: string): Promise<string> | string;
}

export function registerResources(server: McpServer, context: McpContext): void {
  for (const family of [ruleFamily, openApiFamily(context), fixtureFamily(context)]) register(server, family);
}

function register(server: McpServer, { uri, variable, names, mimeType, ...family }: Family): void {
  const name = uri.replace('sachet://', '');
  const indexType = 'text/plain';
  server.registerResource(name, uri, { description: family.description, mimeType: indexType }, async () => ({
    contents: [{ uri, mimeType: indexType, text: bounded(await family.index()) }],
  }));
  const template = new ResourceTemplate(`${uri}/{${variable}}`, {
    list: undefined,
    complete: { [variable]: (value) => names.filter((one) => one.toLowerCase().startsWith(value.toLowerCase())) },
  });
  const about = { description: family.one, mimeType };
  server.registerResource(`${name}-${variable}`, template, about, async ({ href }, values) => {
    const value = String(values[variable]);
    if (names.includes(value)) return { contents: [{ uri: href, mimeType, text: bounded(await family.read(value)) }] };
    const problem = `unknown ${variable} ${quoted(value)}; the resource without it lists all`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, withNearest(problem, value, names));
  });
}

const ruleFamily: Family = {
  uri: 'sachet://rules',
  variable: 'id',
  description: 'The rules of the contract and of the sandbox, one line each',
  one: "One rule: its requirement, the contract's sentence, its status and the operations that can break it",
  mimeType: 'text/plain',
  names: allRuleIds,
  index: ruleIndex,
  read: rulePage,
};

function openApiFamily({ sachet, sandbox: name }: McpContext): Family {
  const sandbox = sachet.sandbox(name);
  async function readDocument(): Promise<OpenApi> {
    const response = await sandbox.fetch(openApiPath);
    if (response.ok) return (await response.json()) as OpenApi;
    throw new Error(`the OpenAPI document of the sandbox "${name}" failed with ${response.status}`);
  }
  return {
    uri: 'sachet://openapi',
    variable: 'operation',
    description: 'The operations of the service, and the URL of the whole OpenAPI document',
    one: 'One operation as an OpenAPI document with its schemas, without examples',
    mimeType: 'application/json',
    names: operationIds,
    index: async () => {
      const document = await readDocument();
      const lines = operationIds.flatMap((id) => {
        const { path, method, operation } = operationIn(document, id);
        return operation ? [`${id}: ${method} ${path}, ${operation.summary}`] : [];
      });
      return [...lines, `document: ${(await sandbox.get()).base_url}${openApiPath}`].join('\n');
    },
    read: async (id) => {
      const part = partOf(await readDocument(), id as OperationId);
      if (part) return part;
      throw new Error(`the sandbox "${name}" does not have the operation ${id}: an assumption turns it off`);
    },
  };
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly summary: string }>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The place of an operation in the document, and its object there, which an assumption can leave out. */
function operationIn({ paths }: OpenApi, id: OperationId) {
  const { path, method } = operations[id];
  return { path, method, operation: paths[path]?.[method.toLowerCase()] };
}

/** The document with one operation and the components that it refers to, without examples. */
function partOf(document: OpenApi, id: OperationId): string | undefined {
  const { path, method, operation } = operationIn(document, id);
  if (!operation) return undefined;
  const components: Record<string, Record<string, unknown>> = {};
  const pending: unknown[] = [operation];
  for (const part of pending)
    for (const [, kind = '', name = ''] of JSON.stringify(part, withoutExamples).matchAll(reference)) {
      const component = document.components[kind]?.[name];
      if (component === undefined || components[kind]?.[name] !== undefined) continue;
      components[kind] = { ...components[kind], [name]: component };
      pending.push(component);
    }
  const paths = { [path]: { [method.toLowerCase()]: operation } };
  return JSON.stringify({ openapi: document.openapi, paths, components }, withoutExamples);
}

const reference = /"#\/components\/(\w+)\/([\w.-]+)"/g;
const withoutExamples = (key: string, value: unknown): unknown => (/^examples?$/.test(key) ? undefined : value);

const listed = 50;
/** A resource ends before it is larger. */
const maxRecordCharacters = 12_000;

function fixtureFamily({ sachet, sandbox }: McpContext): Family {
  const { records } = sachet.sandbox(sandbox);
  const firstOf = async (name: CollectionName) => {
    const page: Readonly<Record<string, unknown>> = await records[name].list({ limit: listed });
    return { all: page[name] as readonly object[], hasMore: page.next_cursor !== undefined };
  };
  return {
    uri: 'sachet://fixtures',
    variable: 'collection',
    description: 'The collections of records in the sandbox, with how many there are',
    one: 'The first records of a collection, one per line, at most 12 kB; the users have the passwords for logins',
    mimeType: 'application/jsonl',
    names: collectionNames,
    index: async () => {
      const lines = collectionNames.map(async (name) => {
        const { all, hasMore } = await firstOf(name);
        return `${name}: ${hasMore ? `more than ${listed}` : all.length} records`;
      });
      return (await Promise.all(lines)).join('\n');
    },
    read: async (name) => {
      let text = '';
      for (const record of (await firstOf(name as CollectionName)).all) {
        const line = `${JSON.stringify(record)}\n`;
        if (text.length + line.length > maxRecordCharacters) break;
        text += line;
      }
      return text;
    },
  };
}
