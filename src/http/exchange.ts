// What passes between the app and whoever calls it: the request with its bindings, and the response before it is a `Response`.

/**
 * What the caller of the app says about a request, and what the app tells it besides the response: Hono hands it on as `c.env`.
 * One object per request, made by the listener of a port, or by the fetch of a Sachet in process.
 */
export interface Bindings {
  /** Whether the request came over a port. Default: false, it came in process. */
  readonly isOverPort?: boolean;
  /** Whether the console sends it for its user: not a client's doing. */
  readonly isByConsole?: boolean;
  /** Names and values in turn, as Node gives them; missing in process. */
  readonly rawHeaders?: readonly string[];
  /** Set if the body was not read to its end: the connection must close after the response. */
  closesConnection?: boolean;
  /** Set for a large response: its size in characters or bytes. */
  responseSize?: number;
  /** Set for a call that is recorded: call it when the response reaches a caller in process. */
  onHandedOver?: () => void;
}

/** The app, as those who hand requests to it know it: the package's types name no type of Hono. */
export interface RequestHandler {
  readonly fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>;
}

/** The part of Hono's context that reading a request and sending a response need. */
export interface Exchange {
  readonly req: { readonly raw: Request };
  readonly env: Bindings;
}

/** Responses by what a browser may do with them: pages, what pages are made of and the control API says, and what the service says. */
export type ResponseKind = 'page' | 'data' | 'service';

/** A response before it is a `Response`. Headers that protect it are added when it is sent. */
export interface ServiceResponse {
  readonly kind: ResponseKind;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or bytes, which the journal leaves out. */
  readonly body: string | Uint8Array | null;
}
