// The object storage that labels are downloaded from by pre-signed GET (FUL-4), with S3's errors.
import { labelPath } from '../../contract/addresses.ts';
import { Refusal } from '../../contract/refusal.ts';
import { judgeLabelRequest, type ShippingLabel, type StorageError, shippingLabel } from '../../domain/labels.ts';
import type { World } from '../../domain/world.ts';
import type { ExtraRoute, RequestContext } from '../request-context.ts';
import type { ServiceResponse } from '../response.ts';
import { labelPdf } from './label-pdf.ts';
import { answerObjectRequest, errorDocument, etagOf } from './stored-object.ts';

const noSuchKey = { status: 404, code: 'NoSuchKey', message: 'The specified key does not exist.' };
const noSuchBucket = { status: 404, code: 'NoSuchBucket', message: 'The specified bucket does not exist' };
const internalError = {
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
  const { id, method, now, deps } = request;
  const label = await request.read((world) => findLabel(world, request));
  if ('code' in label) {
    // The journal names the contract's rule.
    request.refusal = new Refusal(label.rule ?? 'FUL-4', { problem: `${label.code}: ${label.message}` });
    return errorDocument(label, id);
  }
  const body = await labelPdf(label);
  const object = {
    body,
    etag: etagOf(deps.hashes, body),
    lastModified: new Date(label.updatedAt),
    contentType: 'application/pdf',
  };
  const answer = answerObjectRequest({ method, headers: request.c.req.raw.headers, now }, object);
  return 'code' in answer ? errorDocument(answer, id) : answer;
}

/** The label that the URL names, or why the storage refuses it. */
function findLabel(world: World, request: RequestContext): ShippingLabel | StorageError {
  const { origin, path, search, method, localPath } = request;
  const base = new URL(origin);
  const signedPath = base.pathname.replace(/\/$/, '') + path;
  const query = new URLSearchParams(search);
  const authorization = request.c.req.raw.headers.get('authorization');
  const refusal = judgeLabelRequest(world, { method, host: base.host, path: signedPath, query, authorization });
  if (refusal) return refusal;
  const [, fulfillmentId = ''] = /([^/]+)\.pdf$/.exec(path) ?? [];
  const isLabel = localPath === labelPath(fulfillmentId);
  const fulfillment = isLabel ? world.table('fulfillments').get(fulfillmentId) : undefined;
  return fulfillment ? shippingLabel(world, fulfillment) : noSuchKey;
}
