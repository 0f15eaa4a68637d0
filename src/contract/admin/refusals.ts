// A refusal of the control API: its status, what was wrong, and what to do. Rendered in the contract's error body.

/** The statuses of the control API with the names that stand in `error`. */
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
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;
export type ControlStatus = keyof typeof controlStatusNames;

/** What is wrong with one field, as found and expected. */
export interface ControlFault {
  readonly field: string;
  readonly message: string;
}

/**
 * Thrown by the levers and the guards.
 * @example throw new ControlRefusal(409, 'There is a snapshot "base" already')
 */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
  readonly status: ControlStatus;
  readonly details: readonly ControlFault[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ControlStatus,
    message: string,
    { details, headers = {} }: { details?: readonly ControlFault[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

/** 404: names what there is, where that is few. */
export function notThere(what: string, name: string, has: readonly string[] = []): ControlRefusal {
  const shown = JSON.stringify(name.slice(0, 80));
  const others = has.length > 0 && has.length <= 50 ? `; there are: ${has.join(', ')}` : '';
  return new ControlRefusal(404, `There is no ${what} ${shown}${others}`);
}

/** 422: the body was understood, and cannot be done. */
export const cannot = (field: string, message: string): ControlRefusal =>
  new ControlRefusal(422, message, { details: [{ field, message }] });
