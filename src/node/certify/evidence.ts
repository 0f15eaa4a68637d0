// The calls that a result names, as rows of the report: the journal is gone afterwards.
import type { SandboxControl } from '../../client/sandbox-control.ts';
import type { EvidenceRow } from './certification.ts';

const mostRows = 50;

/** The requests with these ids, the first ones where they are too many; in the order of the journal. One that it lost is left out. */
export async function evidenceOf({ requests }: SandboxControl, ids: readonly string[]): Promise<EvidenceRow[]> {
  const named = new Set([...new Set(ids)].slice(0, mostRows));
  if (named.size === 0) return [];
  const all = (await requests.list()).requests;
  return all
    .filter(({ id }) => named.has(id))
    .map(({ id, received_at, method, path, status, rules, decision }) => ({
      id,
      received_at,
      method,
      path,
      status,
      rules,
      sentence: decision?.sentence ?? null,
    }));
}
