// The scripts and styles of the reference's page: from the package itself, the same for every sandbox.
import { hex } from '../../domain/hashes.ts';
import type { Edge } from '../edge.ts';
import { ownOriginOnly } from '../html-page.ts';

/** The names that they are served under, below the page. */
export const assetNames = ['swagger-ui-bundle.js', 'swagger-ui.css', 'start.js', 'page.css'] as const;
export type AssetName = (typeof assetNames)[number];

interface Asset {
  readonly text: string;
  readonly etag: string;
}

const served = new Map<AssetName, Asset>();

/** A browser asks each time whether it has the right one: another version of Sachet may stand at the same address. */
export async function serveAsset(
  { hashes }: Pick<Edge, 'hashes'>,
  name: AssetName,
  request: Request,
): Promise<Response> {
  const asset = served.get(name) ?? (await loaded(hashes, name));
  served.set(name, asset);
  const headers = {
    'content-type': `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
    etag: asset.etag,
    'cache-control': 'no-cache',
    ...ownOriginOnly,
  };
  const isKnown = request.headers.get('if-none-match')?.includes(asset.etag);
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(asset.text, { headers });
}

/** A map of the source that is not served would only be asked for in vain. */
const sourceMap = /(?:\/\/|\/\*)# sourceMappingURL=\S+\s*$/;

async function loaded({ sha256 }: Edge['hashes'], name: AssetName): Promise<Asset> {
  const texts: Readonly<Record<AssetName, string>> = (await import('./asset-texts.ts')).assetTexts;
  const text = texts[name].replace(sourceMap, '');
  return { text, etag: `"${hex(sha256(text)).slice(0, 32)}"` };
}
