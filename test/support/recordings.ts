// Recordings of a service (HAR), and reports as their reader would write them.
import { type AssumptionId, assumptionIds, assumptionRegister } from '../../src/contract/assumptions.ts';
import type { Evidence, LearnedReport, Observation } from '../../src/contract/observations.ts';
import { noon } from './sachet.ts';

/** A call and its answer. */
interface Recorded {
  readonly call: string;
  readonly sent?: unknown;
  readonly status: number;
  readonly body: unknown;
}

const json = [{ name: 'Content-Type', value: 'application/json; charset=utf-8' }];

/** An entry of a HAR document, `index` seconds after noon. @param recorded.call such as `GET https://host/v2/products` */
function harEntry({ call, sent, status, body }: Recorded, index = 0) {
  const [method = '', url = ''] = call.split(' ');
  const text = sent === undefined ? undefined : JSON.stringify(sent);
  return {
    startedDateTime: new Date(Date.parse(noon) + index * 1000).toISOString(),
    request: {
      method,
      url,
      headers: text ? json : [],
      ...(text && { postData: { mimeType: 'application/json', text } }),
    },
    response: { status, headers: json, content: { mimeType: 'application/json', text: JSON.stringify(body) } },
  };
}

export const harOf = (...recorded: readonly Recorded[]) => ({
  log: { version: '1.2', entries: recorded.map(harEntry) },
});

export const evidence: Evidence = { at: noon, source: 'real.har', call: 'GET /v2/fulfillments → 200' };

type Seen = Partial<Pick<Observation, 'allowed' | 'evidence' | 'next'>>;

/** A report of three calls. Assumptions without an observation are open, without evidence. */
export function reportOf(
  seen: { readonly [Id in AssumptionId]?: Seen },
  changes: Partial<LearnedReport> = {},
): LearnedReport {
  const observations = assumptionIds.map((assumption): Observation => {
    const { question, choices } = assumptionRegister[assumption];
    const open = { assumption, question, allowed: choices.map(([name]) => name), evidence: null, next: null };
    return { ...open, ...seen[assumption] };
  });
  return { calls: 3, skipped: {}, observations, findings: [], facts: {}, ...changes };
}
