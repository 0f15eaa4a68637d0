// The object storage that labels are downloaded from: a pre-signed GET, refused as S3 refuses (FUL-4).
import { labelPath } from '../../contract/addresses.ts';
import { Refusal } from '../../contract/refusal.ts';
import { judgeLabelRequest, type StorageRefusal } from '../../domain/labels.ts';
import { type ShippingLabel, shippingLabel } from '../../domain/shipping-label.ts';
import type { World } from '../../domain/world.ts';
import { type Arrival, localPath } from '../arrival.ts';
import { serveBeside } from '../beside.ts';
import type { Call } from '../call.ts';
import type { Edge } from '../edge.ts';
import type { Passage } from '../passage.ts';
import type { Rendered } from '../rendered.ts';
import { errorDocument } from './error-document.ts';
import { labelPdf } from './label-pdf.ts';
import { answered, etagOf } from './stored-object.ts';

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

export const serveLabel = (edge: Edge, arrival: Arrival): Promise<Response> =>
  serveBeside(edge, arrival, {
    name: 'storage',
    answer: download,
    unknownSandbox: ({ id }) => errorDocument(noSuchBucket, id),
    failed: ({ id }) => errorDocument(internalError, id),
  });

async function download(call: Call, passage: Passage): Promise<Rendered> {
  const found = await call.read((world) => find(world, call.arrival));
  if ('code' in found) {
    // Told to the journal by the contract's rule.
    passage.refusal = new Refusal('FUL-4');
    return errorDocument(found, passage.id);
  }
  const body = await labelPdf(found);
  const { method, headers } = call.arrival.request;
  const answer = answered(
    { method, headers, now: call.now },
    {
      body,
      etag: etagOf(call.hashes, body),
      lastModified: new Date(found.updatedAt),
      contentType: 'application/pdf',
    },
  );
  return 'code' in answer ? errorDocument(answer, passage.id) : { kind: 'service', ...answer };
}

/** The label that is asked for, or why there is none. */
function find(world: World, arrival: Arrival): ShippingLabel | StorageRefusal {
  const { request, origin, path, search } = arrival;
  const base = new URL(origin);
  const signedPath = base.pathname.replace(/\/$/, '') + path;
  const asked = { method: request.method, host: base.host, path: signedPath, query: new URLSearchParams(search) };
  const refusal = judgeLabelRequest(world, asked);
  if (refusal) return refusal;
  const [, fulfillmentId = ''] = /([^/]+)\.pdf$/.exec(path) ?? [];
  const isLabel = localPath(arrival) === labelPath(fulfillmentId);
  const fulfillment = isLabel ? world.table('fulfillments').get(fulfillmentId) : undefined;
  return fulfillment ? shippingLabel(world, fulfillment) : noSuchKey;
}
