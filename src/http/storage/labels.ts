// The object storage that labels are downloaded from: a pre-signed GET, refused as S3 refuses (FUL-4).
import { machineTime, timeOf } from '../../control/clock.ts';
import { requestId } from '../../control/ids.ts';
import { stage } from '../../control/sandboxes.ts';
import { judgeLabelRequest, labelPath, type StorageRefusal } from '../../domain/labels.ts';
import type { Draft } from '../../state/draft.ts';
import { originOf } from '../call.ts';
import type { Edge } from '../edge.ts';
import { labelPdf } from './label-pdf.ts';

type Found = { readonly refusal: StorageRefusal } | { readonly pdf: Uint8Array };

const noSuchKey: StorageRefusal = { status: 404, code: 'NoSuchKey', message: 'The specified key does not exist.' };

export async function serveLabel(edge: Edge, request: Request, sandboxName: string | undefined): Promise<Response> {
  const sandbox = await edge.sandboxes.get(sandboxName ?? stage);
  const machine = machineTime();
  const found: Found = sandbox
    ? await sandbox.read((draft) => find(edge, draft, request, machine))
    : { refusal: { status: 404, code: 'NoSuchBucket', message: 'The specified bucket does not exist' } };
  if ('refusal' in found) return refuse(found.refusal);
  return new Response(found.pdf as BodyInit, {
    headers: { 'content-type': 'application/pdf', 'accept-ranges': 'none' },
  });
}

function find(edge: Edge, draft: Draft, request: Request, machine: number): Found {
  const { pathname, searchParams: query } = new URL(request.url);
  const base = new URL(originOf(edge, request));
  const path = base.pathname.replace(/\/$/, '') + pathname;
  const world = {
    now: timeOf(draft.value('clock'), machine),
    identity: draft.value('identity'),
    generations: draft.value('generations'),
    hashes: edge.hashes,
    baseUrl: base.origin,
  };
  const refusal = judgeLabelRequest(world, { method: request.method, host: base.host, path, query });
  if (refusal) return { refusal };
  const [, id = ''] = /([^/]+)\.pdf$/.exec(pathname) ?? [];
  const fulfillment = pathname.endsWith(labelPath(id)) ? draft.table('fulfillments').get(id) : undefined;
  return fulfillment ? { pdf: labelPdf(fulfillment) } : { refusal: noSuchKey };
}

const escapes: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};
const escaped = (text: string): string => text.replaceAll(/[<>&"']/g, (character) => escapes[character] ?? character);

/** S3's error document. */
function refuse({ status, code, message, extra = {} }: StorageRefusal): Response {
  const parts = { Code: code, Message: message, ...extra, RequestId: requestId(), HostId: 'sachet' };
  const elements = Object.entries(parts).map(([name, text]) => `<${name}>${escaped(text)}</${name}>`);
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements.join('')}</Error>`;
  return new Response(xml, { status, headers: { 'content-type': 'application/xml' } });
}
