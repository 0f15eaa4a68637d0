// The object storage that labels are downloaded from: a pre-signed GET, refused as S3 refuses (FUL-4).
import { labelPath } from '../../contract/addresses.ts';
import { Refusal } from '../../contract/refusal.ts';
import { judgeLabelRequest, type ShippingLabel, type StorageRefusal, shippingLabel } from '../../domain/labels.ts';
import type { World } from '../../domain/world.ts';
import type { ServiceResponse } from '../exchange.ts';
import type { ExtraRoute, RequestContext } from '../request-context.ts';
import { labelPdf } from './label-pdf.ts';
import { answered, errorDocument, etagOf } from './stored-object.ts';

const noSuchKey: StorageRefusal = { status: 404, code: 'NoSuchKey', message: 'The specified key does not exist.' };
const noSuchBucket: StorageRefusal = {
  status: 404,
  code: 'NoSuchBucket',
  message: 'The specified bucket does not exist',
};
const internalError: StorageRefusal = {
  status: 500,
  code: 'InternalError',
  message: 'We encountered an internal error. Please try again.',
};

export const labels: ExtraRoute = {
  name: 'storage',
  answer: download,
  unknownSandbox: ({ id }) => errorDocument(noSuchBucket, id),
  failed: ({ id }) => errorDocument(internalError, id),
};

async function download(request: RequestContext): Promise<ServiceResponse> {
  const found = await request.read((world) => find(world, request));
  if ('code' in found) {
    // The journal names the contract's rule.
    request.refusal = new Refusal('FUL-4');
    return errorDocument(found, request.id);
  }
  const body = await labelPdf(found);
  const answer = answered(
    { method: request.method, headers: request.c.req.raw.headers, now: request.now },
    {
      body,
      etag: etagOf(request.deps.hashes, body),
      lastModified: new Date(found.updatedAt),
      contentType: 'application/pdf',
    },
  );
  return 'code' in answer ? errorDocument(answer, request.id) : { kind: 'service', ...answer };
}

/** The label that the URL names, or why the storage refuses it. */
function find(world: World, request: RequestContext): ShippingLabel | StorageRefusal {
  const { origin, path, search } = request;
  const base = new URL(origin);
  const signedPath = base.pathname.replace(/\/$/, '') + path;
  const asked = { method: request.method, host: base.host, path: signedPath, query: new URLSearchParams(search) };
  const refusal = judgeLabelRequest(world, asked);
  if (refusal) return refusal;
  const [, fulfillmentId = ''] = /([^/]+)\.pdf$/.exec(path) ?? [];
  const isLabel = request.localPath === labelPath(fulfillmentId);
  const fulfillment = isLabel ? world.table('fulfillments').get(fulfillmentId) : undefined;
  return fulfillment ? shippingLabel(world, fulfillment) : noSuchKey;
}
