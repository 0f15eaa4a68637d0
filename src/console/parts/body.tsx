// The body of a message, with its JSON in colors.

/** Longer bodies are cut. */
export const maxCharacters = 20_000;

export function Body({ body }: { readonly body: unknown }) {
  if (body === null || body === '') return <p class="muted">No body.</p>;
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  const shown = text.slice(0, maxCharacters);
  return (
    <>
      <pre tabindex={0}>{typeof body === 'string' ? shown : highlighted(shown)}</pre>
      {text.length > maxCharacters && (
        <p class="muted">
          … and {text.length - maxCharacters} more characters. Read them with GET …/requests/{'{id}'} of the control
          API.
        </p>
      )}
    </>
  );
}

/** A string, with the colon behind it if it is a key; a number; a literal. */
const jsonToken = /("(?:\\.|[^"\\])*")(:?)|(-?\d[\d.eE+-]*)|\b(?:true|false|null)\b/g;

function kindOf(string: string | undefined, colon: string | undefined, number: string | undefined): string {
  if (string) return colon ? 'key' : 'string';
  return number ? 'number' : 'literal';
}

/** The text of valid JSON, with an element around each token. */
function highlighted(json: string) {
  const parts = [];
  let end = 0;
  for (const { 0: token, 1: string, 2: colon, 3: number, index } of json.matchAll(jsonToken)) {
    parts.push(json.slice(end, index), <span class={kindOf(string, colon, number)}>{token}</span>);
    end = index + token.length;
  }
  return [...parts, json.slice(end)];
}
