// The object storage that labels are downloaded from: a pre-signed GET, refused as S3 refuses (FUL-4).
import { labelPath, stage } from '../../contract/addresses.ts';
import { Refusal } from '../../contract/refusal.ts';
import { stopwatch } from '../../control/clock.ts';
import { requestId } from '../../control/ids.ts';
import { judgeLabelRequest, type StorageRefusal } from '../../domain/labels.ts';
import type { World } from '../../domain/world.ts';
import { type Arrival, localPath } from '../arrival.ts';
import { Call, isLifeOver } from '../call.ts';
import type { Edge } from '../edge.ts';
import { Passage, type Rendered } from '../passage.ts';
import { labelPdf } from './label-pdf.ts';

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

export async function serveLabel(edge: Edge, arrival: Arrival): Promise<Response> {
  const passage = new Passage(edge, arrival, requestId(), stopwatch());
  return passage.answer(await look(passage));
}

async function look(passage: Passage): Promise<Rendered> {
  const { edge, arrival } = passage;
  try {
    const sandbox = await edge.sandboxes.get(arrival.sandboxName ?? stage);
    if (!sandbox) return refused(noSuchBucket, passage.id);
    const call = passage.begin(new Call(edge, arrival, { sandbox }, undefined));
    call.stage = 'storage';
    return await call.read((world) => find(world, arrival, (refusal) => refusedBy(passage, refusal)));
  } catch (error) {
    const failed = refused(internalError, passage.id);
    if (!isLifeOver(error)) passage.fail(error, failed);
    return failed;
  }
}

function find(world: World, arrival: Arrival, refusedBy: (refusal: StorageRefusal) => Rendered): Rendered {
  const { request, origin, path, search } = arrival;
  const base = new URL(origin);
  const signedPath = base.pathname.replace(/\/$/, '') + path;
  const asked = { method: request.method, host: base.host, path: signedPath, query: new URLSearchParams(search) };
  const refusal = judgeLabelRequest(world, asked);
  if (refusal) return refusedBy(refusal);
  const [, fulfillmentId = ''] = /([^/]+)\.pdf$/.exec(path) ?? [];
  const isLabel = localPath(arrival) === labelPath(fulfillmentId);
  const fulfillment = isLabel ? world.table('fulfillments').get(fulfillmentId) : undefined;
  if (!fulfillment) return refusedBy(noSuchKey);
  const headers = { 'content-type': 'application/pdf', 'accept-ranges': 'none' };
  return { status: 200, headers, body: labelPdf(fulfillment) };
}

/** A refusal of the storage, told to the journal by the contract's rule. */
function refusedBy(passage: Passage, refusal: StorageRefusal): Rendered {
  passage.refusal = new Refusal('FUL-4');
  return refused(refusal, passage.id);
}

const escapes: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};
const escaped = (text: string): string =>
  Array.from(text, (character) => (character < ' ' ? '?' : (escapes[character] ?? character))).join('');

/** S3's error document. */
function refused({ status, code, message, extra = {} }: StorageRefusal, id: string): Rendered {
  const parts = { Code: code, Message: message, ...extra, RequestId: id, HostId: 'sachet' };
  const elements = Object.entries(parts).map(([name, text]) => `<${name}>${escaped(text)}</${name}>`);
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements.join('')}</Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body };
}
