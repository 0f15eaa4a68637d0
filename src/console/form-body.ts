// A form's fields as the JSON body of an operation. A field's name is the way to its value, with what the value is behind a colon:
// `rate_limit.burst:number`. A field that is left empty is not said.

type Kind = 'text' | 'number' | 'yes' | 'no' | 'list' | 'null' | 'object' | 'json';
type Tree = { [key: string]: unknown };

/** Texts by kind, as what they stand for; a text that is none stays itself, for the operation's schema to refuse. */
const readers: Readonly<Record<Kind, (texts: readonly string[]) => unknown>> = {
  text: ([text]) => text,
  number: ([text = '']) => (Number.isFinite(Number(text)) ? Number(text) : text),
  yes: () => true,
  no: () => false,
  list: (texts) => texts.flatMap((text) => text.split(/[\s,]+/)).filter((text) => text !== ''),
  null: () => null,
  object: () => ({}),
  json: ([text = '']) => parsed(text),
};

const isKind = (text: string): text is Kind => Object.hasOwn(readers, text);

/** @example bodyOf(new URLSearchParams('rate_limit.burst:number=3')); // { rate_limit: { burst: 3 } } */
export function bodyOf(form: URLSearchParams): unknown {
  const body: Tree = Object.create(null);
  for (const name of new Set(form.keys())) {
    const texts = form.getAll(name).filter((text) => text !== '');
    const [path = '', kind = 'text'] = name.split(':');
    if (texts.length > 0 && !name.startsWith('_') && isKind(kind)) put(body, path.split('.'), readers[kind](texts));
  }
  return body;
}

/** Where several fields meet in one object, none takes the others' place. */
function put(tree: Tree, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    if (!isTree(tree[first]) || !isTree(value)) tree[first] = value;
    return;
  }
  const under = tree[first];
  const branch: Tree = isTree(under) ? under : Object.create(null);
  tree[first] = branch;
  put(branch, rest, value);
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
