// The definition of a control API operation: method, path, request parts and responses; its types for handlers and the
// client; and its refusals. The service has no such API, so assumptions do not change its schemas.
import type { z } from 'zod';
import type { FileFault } from '../file-errors.ts';
import type { ParsedFile } from '../fixtures.ts';
import { didYouMean } from '../nearest.ts';
import type { DeepReadonly } from '../records.ts';

/** The control API, relative to the server. */
export const adminPath = '/_admin';

/** The sandbox in a path of the control API. */
export const sandboxIn = (path: string): string | undefined => /^\/_admin\/sandboxes\/([^/]+)/.exec(path)?.[1];

export interface ControlOperation {
  /** `resource.verb`: the same word in code, docs and the client; `x-operation` in the OpenAPI document. */
  readonly id: string;
  /** The name of its function in generated clients, such as `createSandbox`. */
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The template, relative to the server. Below `/_admin/sandboxes/{sandbox}` the sandbox's own key is valid, too. */
  readonly path: `/_admin/${string}`;
  readonly summary: string;
  /** More for callers, in Markdown: effects and limits. */
  readonly description: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** The limit of the body, if it may be larger than a body of the service. */
  readonly bodyBytes?: number;
  /** What to do with a larger body, for the message of its refusal. */
  readonly largerBody?: string;
  /** Allowed even if the memory is full, because it frees memory. */
  readonly freesMemory?: boolean;
  /** True for an operation that needs no key. */
  readonly isPublic?: boolean;
  /** True for an operation that is not a GET and changes nothing. */
  readonly isReadOnly?: boolean;
  /** For OpenAPI documents: the schema of a body that is validated later, as a whole record. */
  readonly documentedBody?: () => z.ZodType;
  /** Valid bodies by name, for OpenAPI documents. */
  readonly examples?: Readonly<Record<string, unknown>>;
  /** The body of a success by its status; null if it has no JSON body. */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
}

type Parts = Omit<ControlOperation, 'id' | 'method' | 'path' | 'summary'>;

/**
 * Declares an operation; keeps its literal types for the handler table and the client. Its id is its key in the table
 * of operations.
 */
export const controlOperation = <
  const Method extends ControlOperation['method'],
  const Path extends ControlOperation['path'],
  const P extends Parts,
>(
  method: Method,
  path: Path,
  summary: string,
  parts: P,
) => ({ method, path, summary, ...parts });

/** The address of a sandbox in the control API. */
export const sandboxPath = <const Name extends string>(sandbox: Name) => `${adminPath}/sandboxes/${sandbox}` as const;

/** Declares an operation of one sandbox. `path` is relative to `/_admin/sandboxes/{sandbox}`. */
export const sandboxOperation = <
  const Method extends ControlOperation['method'],
  const Path extends string,
  const P extends Parts,
>(
  method: Method,
  path: Path,
  summary: string,
  parts: P,
) => controlOperation(method, `${sandboxPath('{sandbox}')}${path}`, summary, parts);

/** The header that identifies a repeated call (draft-ietf-httpapi-idempotency-key-header). */
export const idempotencyKey = {
  header: 'Idempotency-Key',
  form: /^[!-~]{1,255}$/,
  words: 'The header Idempotency-Key must have 1 to 255 visible ASCII characters; use a UUID, for example',
} as const;

/** Whether the operation takes the header: only if it changes something, and the caller has a key. */
export const takesIdempotencyKey = ({ method, isReadOnly = false, isPublic = false }: ControlOperation): boolean =>
  method !== 'GET' && !isReadOnly && !isPublic;

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type OutputOf<S> = S extends z.ZodType ? DeepReadonly<z.output<S>> : undefined;

/** The validated parts of a request. */
export interface ControlInput<O extends ControlOperation> {
  readonly params: { readonly [Name in Names<O['path']>]: string };
  readonly query: OutputOf<O['query']>;
  readonly body: OutputOf<O['body']>;
}

/** The response of a success. */
export type ControlReply<O extends ControlOperation> = {
  [S in keyof O['responses'] & number]: { readonly status: S; readonly body: OutputOf<O['responses'][S]> };
}[keyof O['responses'] & number];

type InputOf<S> = S extends z.ZodType ? DeepReadonly<z.input<S>> : undefined;

/**
 * The arguments of a client's method: the names in the path in order, then the body and the query if there are any.
 * A body with a default may be left out, and so may a query.
 */
export type ControlArguments<O extends ControlOperation> = [...PathArguments<O['path']>, ...PartArguments<O>];
type PathArguments<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name extends 'sandbox'
    ? PathArguments<Rest>
    : [name: string, ...PathArguments<Rest>]
  : [];
type PartArguments<O extends ControlOperation> = [...BodyArguments<O>, ...QueryArguments<O>];
type BodyArguments<O extends ControlOperation> = O extends { readonly body: z.ZodType }
  ? undefined extends InputOf<O['body']>
    ? [body?: InputOf<O['body']>]
    : [body: InputOf<O['body']>]
  : [];
type QueryArguments<O extends ControlOperation> = O extends { readonly query: z.ZodType }
  ? [query?: InputOf<O['query']>]
  : [];

/** The result of a client's method. */
export type ControlResult<O extends ControlOperation> = ControlReply<O>['body'];

/** The statuses of the control API, with their names in `error`. */
export const controlStatusNames = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;
export type ControlStatus = keyof typeof controlStatusNames;

export interface ControlErrorDetail {
  readonly field: string;
  readonly message: string;
}

/**
 * A refusal of the control API, sent in the contract's error body.
 * @example throw new ControlRefusal(409, 'A snapshot named "base" already exists')
 */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
  readonly status: ControlStatus;
  readonly details: readonly ControlErrorDetail[] | undefined;
  /** What it refuses, if that is a part of a body or of a scenario. */
  readonly faults: readonly FileFault[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ControlStatus,
    message: string,
    {
      details,
      faults,
      headers = {},
    }: {
      details?: readonly ControlErrorDetail[];
      faults?: readonly FileFault[];
      headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.details = details;
    this.faults = faults;
    this.headers = headers;
  }
}

/** 404. The message lists the names that exist, if they are few, and the nearest one. */
export function notFound(what: string, name: string, has: readonly string[] = []): ControlRefusal {
  const shown = JSON.stringify(name.slice(0, 80));
  const others = has.length > 0 && has.length <= 50 ? `; available: ${has.join(', ')}` : '';
  const hint = didYouMean(name, has);
  return new ControlRefusal(404, `There is no ${what} ${shown}${others}${hint && `.${hint}`}`);
}

/** The item with this name. @throws ControlRefusal 404 */
export function requireNamed<T extends { readonly name: string }>(what: string, name: string, items: readonly T[]): T {
  const found = items.find((item) => item.name === name);
  if (found) return found;
  const names = items.map((item) => item.name);
  throw notFound(what, name, names);
}

/** 422: the body is valid, but the operation is impossible. */
export const cannot = (field: string, message: string): ControlRefusal =>
  new ControlRefusal(422, message, { details: [{ field, message }] });

const maxDetails = 50;

/** A refusal with the first faults as details. The first of them is the message. */
function refusalOf(faults: readonly FileFault[], status: 400 | 409 | 422): ControlRefusal {
  const details = faults.slice(0, maxDetails).map(({ path, found, expected }) => ({
    field: path.replace(/^\$\.?/, ''),
    message: `found ${found}, expected ${expected}`,
  }));
  const [first] = details;
  const where = first?.field ? `${first.field}: ` : '';
  return new ControlRefusal(status, `${where}${first?.message}`, { details, faults });
}

/** @throws ControlRefusal if there are faults. */
export function refuseFaults(faults: readonly FileFault[], status: 409 | 422 = 422): void {
  if (faults.length > 0) throw refusalOf(faults, status);
}

/** Returns the parsed data. @throws ControlRefusal if it has faults. */
export function requireValid<T>(parsed: ParsedFile<T>, status: 400 | 422 = 422): T {
  if (parsed.faults) throw refusalOf(parsed.faults, status);
  return parsed.data;
}

/** @throws TypeError for a key that cannot be sent in a header. The message does not contain it, it is a secret. */
export function requireKey(adminKey: unknown): void {
  if (typeof adminKey === 'string' && /^[!-~]+$/.test(adminKey)) return;
  throw new TypeError(
    'adminKey must have only visible ASCII characters: pass the key that the server printed at startup or that you set',
  );
}

/** The name of the security scheme in the OpenAPI document. */
export const keyScheme = 'adminKey';
