// XML as a strict reader sees it: elements with their attributes and texts, or an error if it is not well-formed.
import { XmlElement as ParsedElement, parseXml } from '@rgrove/parse-xml';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Also that of its elements. */
  readonly text: string;
}

const elementOf = ({ name, attributes, children, text }: ParsedElement): XmlElement => ({
  ...{ name, attributes, text },
  children: children.filter((child) => child instanceof ParsedElement).map(elementOf),
});

/** The element of a document, which begins with a declaration. @throws Error if it is not well-formed */
export function readXml(document: string): XmlElement {
  const { root } = parseXml(document);
  if (!root || !document.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n')) throw new Error('no declaration');
  return elementOf(root);
}
