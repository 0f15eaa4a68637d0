// Where the numbers of rules and the ids of assumptions are named: in the names of tests, and in sources.
import type { Assumption } from '../../src/contract/assumptions.ts';

/** The numbers of rules that a text names, as whole words; `ORD-9 to ORD-13` names all five. */
function rulesNamed(text: string): Set<string> {
  const found = new Set(Array.from(text.matchAll(/\b[A-Z]+-\d+\b/g), ([id]) => id));
  for (const [, letters = '', from, to] of text.matchAll(/\b([A-Z]+)-(\d+) to \1-(\d+)\b/g))
    for (let number = Number(from); number <= Number(to); number += 1) found.add(`${letters}-${number}`);
  return found;
}

/**
 * The rules that a test is about: those that its name has in parentheses, else those that it names at all. What stands in double
 * quotes is data of the test, such as a match of the journal.
 */
export function rulesOfTest(name: string): Set<string> {
  const words = name.replaceAll(/"[^"]*"/g, '');
  const marked = rulesNamed(words.match(/\([^()]*\)/g)?.join(' ') ?? '');
  return marked.size > 0 ? marked : rulesNamed(words);
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * Whether a test is about an assumption. Some ids are ordinary words or fields (`permissions`, `pack_id`), so that the name must
 * put it beside one of its readings (`next_cursor: meta`, `unknown_fields is reject`, `422 of malformed_body`), or say that an
 * operation refuses by it.
 */
export function isAbout(id: string, { choices }: Assumption, name: string): boolean {
  const choice = `(?:${choices.map(([each]) => escaped(each)).join('|')})(?![\\w/])`;
  return [
    `\\b${id}(?:[:=]| is| >| \\() ?["']?${choice}`,
    `\\b(?:of|by) ${id} '?${choice}`,
    `\\b${choice} (?:of|by) ${id}\\b`,
    `\\b(?:refuses|answered) by ${id}\\b`,
  ].some((form) => new RegExp(form).test(name));
}

/** Lines of a source that only list ids, such as the refusals of an operation, or show one in an example. */
const listing = /^\s*(?:\d+: )?'[^']*',$|refusals: \[|@example/;
const enforcingLines = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !listing.test(line))
    .join('\n');

/** The rules that a source enforces: it names them in a comment, or in code that is more than a list. */
export const rulesOfSource = (text: string): Set<string> => rulesNamed(enforcingLines(text));

/** Whether a source follows the readings of an assumption: it asks for them, is offered by them, or says so in a comment. */
export const follows = (id: string, text: string): boolean =>
  new RegExp(`get\\('${id}'\\)|readings\\.${id}\\b|offeredBy: '${id}'|^\\s*(?://|/?\\*).*\`${id}\``, 'm').test(text);
