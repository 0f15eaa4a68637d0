// How to send a request again: as a curl command, and as a case for vitest.

import { sandboxBase } from '../../contract/addresses.ts';
import type { RequestShown } from '../../contract/admin/requests.ts';
import type { DeepReadonly } from '../../contract/records.ts';
import { Copy } from '../parts/copy.tsx';
import type { Visit } from '../visit.ts';
import { curlOf } from './as-curl.ts';
import { testOf } from './as-test.ts';

/** A body that is longer is nothing to copy from a page. */
const maxCharacters = 20_000;

interface Props {
  readonly visit: Visit;
  readonly shown: DeepReadonly<RequestShown>;
  readonly switches: Parameters<typeof testOf>[1];
}

export function SendAgain({ visit: { sandbox, call }, shown, switches }: Props) {
  const { id } = shown;
  const text = sandbox.journal.get(id)?.body ?? null;
  const sent = { ...shown, headers: shown.request.headers, text };
  const isLong = (text?.length ?? 0) > maxCharacters;
  return (
    <>
      <h2>Send it again</h2>
      {isLong ? (
        <p class="muted">Its body has {text?.length} characters, too many to copy from here.</p>
      ) : (
        <div class="sides">
          <Copy id={`curl-${id}`} title="curl" text={curlOf(sent, call.origin + sandboxBase(sandbox.name))} />
          <Copy id={`test-${id}`} title="A vitest case" text={testOf(sent, switches)} />
        </div>
      )}
    </>
  );
}
