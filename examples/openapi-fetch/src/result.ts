// Turns a result of openapi-fetch into its data, or throws the service's error.
import type { ErrorBody } from './wire.ts';

/** An error response of the service. `body` has the reason and, for a validation error, its `details`. */
export class ServiceError extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(`${status} ${body.message}`);
    this.name = 'ServiceError';
    this.status = status;
    this.body = body;
  }
}

/** The type that a method of openapi-fetch resolves to. */
export type Result<Data> = { readonly response: Response } & (
  | { readonly data: Data; readonly error?: never }
  | { readonly data?: never; readonly error: ErrorBody }
);

/** @throws ServiceError if the service responded with an error */
export function unwrap<Data>({ data, error, response }: Result<Data>): Data {
  if (error !== undefined) throw new ServiceError(response.status, error);
  return data;
}
