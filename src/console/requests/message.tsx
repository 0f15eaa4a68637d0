// One side of a call: its headers and its body.

interface Props {
  readonly title: string;
  readonly message: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown } | null;
}

/** Of a longer body the rest is left out here. */
const maxCharacters = 20_000;

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body, null, 2));

export function Message({ title, message }: Props) {
  if (!message)
    return (
      <section class="message">
        <h2>{title}</h2>
        <p class="muted">None yet: the call is under way.</p>
      </section>
    );
  const headers = Object.entries(message.headers);
  return (
    <section class="message">
      <h2>{title}</h2>
      <Body body={message.body} />
      <details>
        <summary>{headers.length} headers</summary>
        <dl class="headers">
          {headers.map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
      </details>
    </section>
  );
}

function Body({ body }: { readonly body: unknown }) {
  if (body === null || body === '') return <p class="muted">No body.</p>;
  const text = textOf(body);
  const left = text.length - maxCharacters;
  return (
    <>
      <pre class="body" tabindex={0}>
        {left > 0 ? text.slice(0, maxCharacters) : text}
      </pre>
      {left > 0 && (
        <p class="muted">
          … and {left} characters more: GET …/requests/{'{id}'} of the control API has them.
        </p>
      )}
    </>
  );
}
