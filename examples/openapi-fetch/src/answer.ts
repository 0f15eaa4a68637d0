// What a call answered: its data, or the error of the service, thrown.
import type { ErrorBody } from './wire.ts';

/** The service refused a call; `body` says why. */
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

/** What a method of openapi-fetch resolves to. */
export type Outcome<Data> = { readonly response: Response } & (
  | { readonly data: Data; readonly error?: never }
  | { readonly data?: never; readonly error: ErrorBody }
);

/** @throws ServiceError where the call was refused. */
export function dataOf<Data>({ data, error, response }: Outcome<Data>): Data {
  if (error !== undefined) throw new ServiceError(response.status, error);
  return data;
}
