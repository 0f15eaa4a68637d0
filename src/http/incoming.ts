// A request as the service reads it, however it came: a Web Request is one, and so is what a port hands over without making one.

/** The headers of a request, by their names in lower case; iterated as `Headers` are: in the order of the names, values joined. */
export interface IncomingHeaders extends Iterable<[string, string]> {
  get(name: string): string | null;
  has(name: string): boolean;
}

export interface Incoming extends Pick<Request, 'method' | 'url' | 'signal' | 'body' | 'arrayBuffer'> {
  readonly headers: IncomingHeaders;
  /** The whole body at once, where it is short and its length was declared. @throws where its sender went away in the middle */
  readonly shortBody?: () => Promise<Uint8Array>;
}
