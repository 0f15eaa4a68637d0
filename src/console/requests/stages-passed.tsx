// The stages that a call went through, in the order of the contract (HTTP-4), and the one that answered.
import type { StageName } from '../../control/journal/decision.ts';
import { stages } from '../../http/stages.ts';

const words: Readonly<Record<StageName, string>> = {
  admission: 'maintenance, rate limit',
  route: 'path and method',
  fault: 'faults and switches',
  token: 'token',
  bodyFormat: 'body is JSON',
  permission: 'permission',
  path: 'path parameters',
  query: 'query',
  bodySchema: 'body by the schema',
  operation: 'business rules',
  storage: 'object storage',
  tracking: 'tracking page',
};

interface Props {
  readonly answeredBy: string;
  readonly isRefused: boolean;
}

export function StagesPassed({ answeredBy, isRefused }: Props) {
  const names = stages.map(({ name }) => name);
  const at = names.indexOf(answeredBy as StageName);
  if (at < 0)
    return <p class="stages">Answered by the {words[answeredBy as StageName] ?? answeredBy}, beside the stages.</p>;
  const outcomeOf = (index: number) => {
    if (index < at) return ['passed', '✓'];
    if (index > at) return ['unreached', '·'];
    return isRefused ? ['stopped', '✕'] : ['answered', '✓'];
  };
  return (
    <ol class="stages" aria-label="Stages">
      {names.map((name, index) => {
        const [outcome = '', sign] = outcomeOf(index);
        return (
          <li class={outcome}>
            <span aria-hidden="true">{sign}</span> {words[name]}
            <span class="unseen">: {outcome === 'unreached' ? 'not reached' : outcome}</span>
          </li>
        );
      })}
    </ol>
  );
}
