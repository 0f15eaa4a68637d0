// One request in the list.
import type { Entry } from '../../control/journal/entry.ts';
import { cut } from '../parts/cut.ts';
import { Instant } from '../parts/instant.tsx';
import { RequestInDrawer } from '../parts/request-in-drawer.tsx';
import { Rules } from '../parts/rules.tsx';
import { Status } from '../parts/status.tsx';

interface Props {
  readonly entry: Entry;
  readonly sandbox: string;
}

/** Longer ones are cut in the list, and stand whole in the request. */
const maxTarget = 200;

export function RequestRow({ entry, sandbox }: Props) {
  const { id, receivedAt, method, path, query, answer } = entry;
  const decision = answer?.decision;
  return (
    <tr id={`request-${id}`}>
      <td class="time">
        <Instant at={new Date(receivedAt).toISOString()} form="milliseconds" />
      </td>
      <td class="method">{method}</td>
      <th scope="row" class="target">
        <RequestInDrawer sandbox={sandbox} id={id}>
          {cut(path + query, maxTarget)}
        </RequestInDrawer>
      </th>
      <td>
        <Status status={answer?.status ?? null} isOpen={answer === null} isLost={decision?.isLost ?? false} />
      </td>
      <td class="rules">
        <Rules rules={decision?.rules ?? []} />
        {decision?.faults.map((fault) => (
          <span class="fault" title="met by this fault or switch">
            {' '}
            {fault}
          </span>
        ))}
      </td>
      <td class="duration">{answer ? `${answer.durationMilliseconds.toFixed(1)} ms` : ''}</td>
      <td class="caller">{answer?.caller ?? ''}</td>
    </tr>
  );
}
