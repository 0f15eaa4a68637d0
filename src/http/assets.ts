// Scripts and styles of pages: from the package itself, the same for every sandbox.
import { hex } from '../domain/hashes.ts';
import type { Dependencies } from './dependencies.ts';
import type { ResponseKind, ServiceResponse } from './response.ts';

interface Asset {
  readonly text: string;
  readonly etag: string;
}

/** A map of the source that is not served would only be asked for in vain. */
const sourceMap = /(?:\/\/|\/\*)# sourceMappingURL=\S+\s*$/;

/** Files by the names that they are served under, loaded with the first that is asked for. */
export class Assets<Name extends string> {
  readonly #kind: ResponseKind;
  readonly #load: () => Promise<Readonly<Record<Name, string>>>;
  readonly #served = new Map<Name, Asset>();

  constructor(kind: ResponseKind, load: () => Promise<Readonly<Record<Name, string>>>) {
    this.#kind = kind;
    this.#load = load;
  }

  /** A browser asks each time whether it has the right one: another version of Sachet may stand at the same address. */
  async serve({ hashes }: Pick<Dependencies, 'hashes'>, name: Name, request: Request): Promise<ServiceResponse> {
    const asset = this.#served.get(name) ?? (await this.#loaded(hashes, name));
    const headers = {
      'content-type': `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      etag: asset.etag,
      'cache-control': 'no-cache',
    };
    const isKnown = request.headers.get('if-none-match')?.includes(asset.etag);
    return { kind: this.#kind, status: isKnown ? 304 : 200, headers, body: isKnown ? null : asset.text };
  }

  async #loaded({ sha256 }: Dependencies['hashes'], name: Name): Promise<Asset> {
    const text = (await this.#load())[name].replace(sourceMap, '');
    const asset = { text, etag: `"${hex(sha256(text)).slice(0, 32)}"` };
    this.#served.set(name, asset);
    return asset;
  }
}
