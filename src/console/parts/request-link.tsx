// A request by its method, path and answer, where another page tells of it: it opens beside that page.
import type { Entry } from '../../control/journal/entry.ts';
import { cut } from './cut.ts';
import { RequestInDrawer } from './request-in-drawer.tsx';
import { Status } from './status.tsx';

/** Longer paths are cut here, and stand whole in the request. */
const maxPath = 80;

export function RequestLink({ entry, sandbox }: { readonly entry: Entry; readonly sandbox: string }) {
  const { id, method, path, answer } = entry;
  return (
    <RequestInDrawer sandbox={sandbox} id={id} class="request-link">
      <span class="target">
        {method} {cut(path, maxPath)}
      </span>{' '}
      <Status status={answer?.status ?? null} isOpen={!answer} isLost={answer?.decision.isLost ?? false} />
    </RequestInDrawer>
  );
}
