// The requests that a rule of the conduct report is judged by. The journal forgets the oldest: of these the id is left.
import type { HostedSandbox } from '../../control/hosted-sandbox.ts';
import { RequestLink } from '../parts/request-link.tsx';

interface EvidenceProps {
  readonly rule: string;
  readonly ids: readonly string[];
  readonly sandbox: HostedSandbox;
}

export const Evidence = ({ rule, ids, sandbox: { name, journal } }: EvidenceProps) => (
  <ul class="evidence" aria-label={`Requests that ${rule} is judged by`}>
    {ids.map((id) => {
      const entry = journal.get(id);
      return <li>{entry ? <RequestLink entry={entry} sandbox={name} /> : <Gone id={id} />}</li>;
    })}
  </ul>
);

const Gone = ({ id }: { readonly id: string }) => (
  <span class="muted">
    <code class="id">{id}</code> is no longer kept
  </span>
);
