// No text that people read has a turn that must be read twice.
import { expect, test } from 'vitest';
import { bannedTurns } from './banned-turns.ts';
import { comments, documents, messages, type PlacedText } from './messages.ts';

/** The texts with a banned turn, outside of backticks, each with its place and what to write instead. */
const found = (texts: readonly PlacedText[]): string[] =>
  texts.flatMap(({ file, line, text }) =>
    bannedTurns.flatMap(({ turn, write }) => {
      const hit = turn.exec(text.replace(/`[^`]*`/g, '``'));
      return hit ? [`${file}:${line}: "${hit[0]}" in "${text}"; write: ${write}`] : [];
    }),
  );

test.each([
  ['message', messages],
  ['comment of the sources', comments],
  ['line of the documents', documents],
])('no %s has a banned turn', (_, texts) => {
  const all = texts();
  if (process.env.PRINT_MESSAGES) console.log(all.map(({ file, line, text }) => `${file}:${line}: ${text}`).join('\n'));
  expect(all.length).toBeGreaterThan(500);
  expect(found(all)).toEqual([]);
});
