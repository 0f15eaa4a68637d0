// A request as the service reads it, however it came: as a Web Request, or plain, without one.

/** The headers of a request, by their names in lower case; iterated as `Headers` are: in the order of the names, values joined. */
export interface IncomingHeaders extends Iterable<[string, string]> {
  get(name: string): string | null;
  has(name: string): boolean;
}

interface Asked extends Pick<Request, 'method' | 'url' | 'signal'> {
  readonly headers: IncomingHeaders;
}

/** One whose body, if it has any, is short and not encoded. */
export interface PlainIncoming extends Asked {
  /** The whole body at once. @throws where its sender went away in the middle */
  readonly wholeBody: () => Promise<Uint8Array>;
}

export type WebIncoming = Asked & Pick<Request, 'body' | 'arrayBuffer'>;

export type Incoming = PlainIncoming | WebIncoming;

export const isPlain = (request: Incoming): request is PlainIncoming => 'wholeBody' in request;
