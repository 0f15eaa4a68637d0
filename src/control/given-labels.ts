// The label URLs that answers have given out and that the storage would take yet: of each fulfillment the newest.
import { isRecord } from '../contract/schema.ts';
import { judgeLabelRequest } from '../domain/labels.ts';
import { endOf } from '../domain/presign.ts';
import type { World } from '../domain/world.ts';
import { arrived, fieldsOf } from './answered-json.ts';
import type { Entry } from './journal/entry.ts';

export interface GivenLabel {
  readonly kind: 'label';
  readonly fulfillment: string;
  /** When it expires, by the sandbox's clock in milliseconds. */
  readonly at: number;
}

/**
 * @param calls newest first
 * @param most so many, the last that were given out
 */
export function givenLabels(world: World, calls: readonly Entry[], most: number): GivenLabel[] {
  const seen = new Set<string>();
  const labels: GivenLabel[] = [];
  for (const call of calls) {
    for (const [fulfillment, url] of labelsIn(call)) {
      if (seen.size === most) return labels;
      if (seen.has(fulfillment)) continue;
      seen.add(fulfillment);
      const at = goodUntil(world, url);
      if (at !== undefined) labels.push({ kind: 'label', fulfillment, at });
    }
  }
  return labels;
}

/** The fulfillments of an answer, one or many, each with its label's URL. */
function* labelsIn(call: Entry): Generator<readonly [fulfillment: string, url: URL]> {
  const body = arrived(call)?.body;
  if (!body?.includes('"label_url"')) return;
  for (const record of Object.values(fieldsOf(body)).flat()) {
    if (!isRecord(record) || typeof record.id !== 'string') continue;
    if (typeof record.label_url === 'string' && URL.canParse(record.label_url))
      yield [record.id, new URL(record.label_url)];
  }
}

/** Judged as the storage does: of a URL whose signature the journal does not keep, all but the signature is good. */
function goodUntil(world: World, { host, pathname: path, searchParams: query }: URL): number | undefined {
  const verdict = judgeLabelRequest(world, { method: 'GET', host, path, query });
  return verdict?.code === 'SignatureDoesNotMatch' ? endOf(query) : undefined;
}
