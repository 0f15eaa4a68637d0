// Where the sandbox is: its base URL, its environment, and its reference.
import { docsPath, openApiPath, sandboxBase, stage } from '../../contract/addresses.ts';
import { CopyButton } from '../parts/copy.tsx';
import { Fact } from '../parts/fact.tsx';
import type { Visit } from '../visit.ts';

export function Where({ visit: { sandbox, call, edge } }: { readonly visit: Visit }) {
  const { name } = sandbox;
  const { environment } = sandbox.root.values.identity;
  return (
    <dl class="facts">
      <Fact name="Base URL">
        <Text id="base-url" text={call.origin + sandboxBase(name)} about="the base URL" />
      </Fact>
      {name === stage && (
        <Fact name="or plainly">
          <Text id="plain-url" text={call.origin} about="the plain base URL" />
          {edge.loginSandboxes && (
            <small class="aside">
              Here a login as <code>USERNAME+w7</code> makes a sandbox <code>w7</code> and enters it.
            </small>
          )}
        </Fact>
      )}
      <Fact name="Environment">
        <code>{environment}</code>
      </Fact>
      <dt>Reference</dt>
      <dd class="links">
        <a href={`..${sandboxBase(name)}${docsPath}`}>API reference</a>
        <a href={`..${sandboxBase(name)}${openApiPath}`}>OpenAPI document</a>
        <a href={`..${sandboxBase(name)}${docsPath}?document=control`}>Control API</a>
      </dd>
    </dl>
  );
}

const Text = ({ id, text, about }: { readonly id: string; readonly text: string; readonly about: string }) => (
  <>
    <code id={id}>{text}</code> <CopyButton of={id} label={`Copy ${about}`} />
  </>
);
