// XML as a strict reader sees it: elements with their attributes and texts, or an error if it is not well-formed.

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids all of them except tab and line break
const forbidden = /[\0-\x08\x0b-\x1f\ufffe\uffff]|\p{Surrogate}/u;
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const part = /([^<]*)<(\/)?([\w:-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/)?>/gy;

const unescaped = (text: string): string =>
  text.replace(/&([^;&]*;?)/g, (_, name: string) => {
    const character = name.endsWith(';') && entities[name.slice(0, -1)];
    if (!character) throw new Error(`not an entity: &${name}`);
    return character;
  });

/** The element of a document. @throws Error if it is not well-formed */
export function readXml(document: string): XmlElement {
  if (forbidden.test(document) || !document.startsWith(declaration)) throw new Error('forbidden character, or no head');
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  let [read, body] = [0, document.slice(declaration.length).trimEnd()];
  for (const [whole, text = '', isEnd, name = '', attributes = '', isClosed] of body.matchAll(part)) {
    read += whole.length;
    const inner = open.at(-1) ?? top;
    inner.text += unescaped(text);
    if (isEnd && open.pop()?.name !== name) throw new Error(`</${name}> ends nothing`);
    if (isEnd) continue;
    const pairs = Array.from(attributes.matchAll(/([\w:-]+)="([^"]*)"/g), ([, key = '', value = '']) => [
      key,
      unescaped(value),
    ]);
    const element = { name, attributes: Object.fromEntries(pairs), children: [], text: '' };
    if (Object.keys(element.attributes).length < pairs.length) throw new Error(`an attribute twice: ${attributes}`);
    inner.children.push(element);
    if (!isClosed) open.push(element);
  }
  const [root, ...others] = top.children;
  if (!root || others.length > 0 || open.length > 1 || top.text.trim() !== '' || read < body.length)
    throw new Error('not exactly one complete element');
  return root;
}
