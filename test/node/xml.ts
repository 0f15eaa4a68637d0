// XML as a strict reader sees it: elements with their attributes and texts, or an error that says where it is none.

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has none of them but tab and line break
const forbidden = /[\0-\x08\x0b-\x1f\ufffe\uffff]|\p{Surrogate}/u;

function unescaped(text: string): string {
  if (text.includes('<')) throw new Error(`a bare < in ${JSON.stringify(text)}`);
  return text.replace(/&([^;&]*;?)/g, (_, name: string) => {
    const character = entities[name.replace(/;$/, '')];
    if (!name.endsWith(';') || character === undefined) throw new Error(`no entity: &${name}`);
    return character;
  });
}

function attributesOf(text: string): Record<string, string> {
  const found = [...text.matchAll(/\s+([\w:-]+)="([^"]*)"/gy)];
  const read = found.reduce((length, [whole]) => length + whole.length, 0);
  if (text.slice(read).trim() !== '') throw new Error(`no attributes: ${text}`);
  const names = found.map(([, name]) => name);
  if (new Set(names).size < names.length) throw new Error(`an attribute twice: ${text}`);
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, unescaped(value)]));
}

/** The element that the document is. @throws Error where it is not well-formed. */
export function readXml(document: string): XmlElement {
  if (forbidden.test(document)) throw new Error('a character that XML has not');
  const body = document.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  if (body === document) throw new Error('no declaration');
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  for (const [, text = '', end, name = '', attributes = '', closed] of body.matchAll(
    /([^<]*)(?:<(\/)?([\w:-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/)?>|$)/gy,
  )) {
    const inner = open.at(-1) ?? top;
    inner.text += unescaped(text);
    if (name === '') continue;
    if (end && open.pop()?.name !== name) throw new Error(`</${name}> ends nothing`);
    if (end) continue;
    const element = { name, attributes: attributesOf(attributes), children: [], text: '' };
    inner.children.push(element);
    if (!closed) open.push(element);
  }
  const [root, ...others] = top.children;
  if (!root || others.length > 0 || open.length > 1 || top.text.trim() !== '')
    throw new Error('not one element, ended');
  return root;
}
