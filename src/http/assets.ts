// Scripts and styles of pages: from the package itself, the same for every sandbox.
import { hex } from '../domain/hashes.ts';
import { protectedAnswer } from './answer-headers.ts';
import type { Edge } from './edge.ts';

interface Asset {
  readonly text: string;
  readonly etag: string;
}

/** A map of the source that is not served would only be asked for in vain. */
const sourceMap = /(?:\/\/|\/\*)# sourceMappingURL=\S+\s*$/;

/** Files by the names that they are served under, loaded with the first that is asked for. */
export class Assets<Name extends string> {
  readonly #load: () => Promise<Readonly<Record<Name, string>>>;
  readonly #served = new Map<Name, Asset>();

  constructor(load: () => Promise<Readonly<Record<Name, string>>>) {
    this.#load = load;
  }

  /** A browser asks each time whether it has the right one: another version of Sachet may stand at the same address. */
  async serve(edge: Pick<Edge, 'hashes' | 'headers'>, name: Name, request: Request): Promise<Response> {
    const asset = this.#served.get(name) ?? (await this.#loaded(edge.hashes, name));
    const headers = {
      'content-type': `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      etag: asset.etag,
      'cache-control': 'no-cache',
    };
    const isKnown = request.headers.get('if-none-match')?.includes(asset.etag);
    const response = isKnown ? new Response(null, { status: 304, headers }) : new Response(asset.text, { headers });
    return protectedAnswer(edge, 'data', response);
  }

  async #loaded({ sha256 }: Edge['hashes'], name: Name): Promise<Asset> {
    const text = (await this.#load())[name].replace(sourceMap, '');
    const asset = { text, etag: `"${hex(sha256(text)).slice(0, 32)}"` };
    this.#served.set(name, asset);
    return asset;
  }
}
