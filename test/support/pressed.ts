// A page's forms as a reader uses them: a button is pressed, and what its form holds is sent.
import type { ConsoleUnderTest, Seen } from './console.ts';

interface Form {
  readonly operation: string;
  readonly names: Record<string, string>;
  readonly fields: Record<string, string>;
}

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** What stands between the tags of the elements with this id, tags included. */
export function partOf(html: string, tag: string, id: string): string {
  const start = html.indexOf(`id="${id}"`);
  if (start < 0) throw new Error(`there is no ${id}`);
  const from = html.lastIndexOf(`<${tag}`, start);
  return html.slice(from, html.indexOf(`</${tag}>`, start));
}

/** The form whose button has this label, and its hidden fields. */
function formOf(html: string, label: string): Form {
  const forms = html.match(/<form[\s\S]*?<\/form>/g) ?? [];
  const found = forms.filter((form) => form.replaceAll(/\s+/g, ' ').includes(`>${label}</button>`));
  const [form] = found;
  if (!form || found.length > 1) throw new Error(`${found.length} forms have a button "${label}"`);
  const [, path = ''] = /hx-post="([^"]*)"/.exec(form) ?? [];
  const [address = '', query = ''] = unescaped(path).split('?');
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return {
    operation: address.split('/').at(-1) ?? '',
    names: Object.fromEntries(new URLSearchParams(query)),
    fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [unescaped(name), unescaped(value)])),
  };
}

/**
 * Presses the one button of this label in a part of a page.
 * @param typed what the reader has entered, by the names of the fields; each must be there
 */
export function press(
  seen: ConsoleUnderTest,
  html: string,
  label: string,
  typed: Record<string, string> = {},
): Promise<Seen> {
  for (const name of Object.keys(typed))
    if (!html.includes(` name="${name}"`)) throw new Error(`there is no field ${name}`);
  const { operation, names, fields } = formOf(html, label);
  return seen.act(operation, { ...fields, ...typed }, names);
}
