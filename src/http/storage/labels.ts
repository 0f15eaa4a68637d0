// The object storage that labels are downloaded from: a pre-signed GET, refused as S3 refuses (FUL-4).

import { labelPath, stage } from '../../contract/addresses.ts';
import { machineTime, stopwatch, timeOf } from '../../control/clock.ts';
import { requestId } from '../../control/ids.ts';
import { judgeLabelRequest, type StorageRefusal } from '../../domain/labels.ts';
import type { Draft } from '../../state/draft.ts';
import type { Arrival } from '../arrival.ts';
import type { Edge } from '../edge.ts';
import { report } from '../report.ts';
import { labelPdf } from './label-pdf.ts';

type Found = { readonly refusal: StorageRefusal } | { readonly pdf: Uint8Array };

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
  const started = stopwatch();
  const name = arrival.sandboxName ?? stage;
  const found = await look(edge, arrival, name);
  const response = 'pdf' in found ? pdfResponse(found.pdf) : refuse(found.refusal);
  report(edge, arrival, started, response.status, name);
  return response;
}

async function look(edge: Edge, arrival: Arrival, name: string): Promise<Found> {
  try {
    const machine = machineTime();
    const sandbox = await edge.sandboxes.get(name);
    return sandbox ? await sandbox.read((draft) => find(edge, draft, arrival, machine)) : { refusal: noSuchBucket };
  } catch (error) {
    edge.onFailure(error, requestId());
    return { refusal: internalError };
  }
}

const pdfResponse = (pdf: Uint8Array): Response =>
  new Response(pdf as BodyInit, { headers: { 'content-type': 'application/pdf', 'accept-ranges': 'none' } });

function find({ hashes }: Edge, draft: Draft, { request, origin, path, search }: Arrival, machine: number): Found {
  const base = new URL(origin);
  const world = {
    now: timeOf(draft.value('clock'), machine),
    identity: draft.value('identity'),
    generations: draft.value('generations'),
    hashes,
    baseUrl: origin,
  };
  const signedPath = base.pathname.replace(/\/$/, '') + path;
  const asked = { method: request.method, host: base.host, path: signedPath, query: new URLSearchParams(search) };
  const refusal = judgeLabelRequest(world, asked);
  if (refusal) return { refusal };
  const [, id = ''] = /([^/]+)\.pdf$/.exec(path) ?? [];
  const fulfillment = path.endsWith(labelPath(id)) ? draft.table('fulfillments').get(id) : undefined;
  return fulfillment ? { pdf: labelPdf(fulfillment) } : { refusal: noSuchKey };
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
function refuse({ status, code, message, extra = {} }: StorageRefusal): Response {
  const parts = { Code: code, Message: message, ...extra, RequestId: requestId(), HostId: 'sachet' };
  const elements = Object.entries(parts).map(([name, text]) => `<${name}>${escaped(text)}</${name}>`);
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements.join('')}</Error>`;
  return new Response(xml, { status, headers: { 'content-type': 'application/xml' } });
}
