// The reference in the package: one file of its own, which no start loads, with the licences of all that it holds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dist, loadedBy, textOf } from '../support/built-files.ts';
import { root } from '../support/command.ts';

/** The files that hold swagger-ui's script. */
const holders = readdirSync(dist).filter((file) => file.endsWith('.js') && textOf(file).includes('SwaggerUIBundle='));

test('it stands in one file', () => {
  expect(holders).toHaveLength(1);
});

test.each(['cli.js', 'index.js', 'node.js', 'server-thread.js', 'vitest.js', 'vitest-server.js'])(
  'whatever %s loads, loads it later at most',
  (entry) => {
    for (const file of loadedBy(entry, true).keys()) {
      if (holders.includes(file)) continue;
      expect(
        [...loadedBy(file, false).keys()].filter((loaded) => holders.includes(loaded)),
        file,
      ).toEqual([]);
    }
  },
);

test.each(['cli.js', 'index.js'])('%s has it at hand', (entry) => {
  expect([...loadedBy(entry, true).keys()]).toContain(holders[0]);
});

test.each(['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'])('its %s is told', (file) => {
  const text = readFileSync(join(root, 'node_modules/swagger-ui-dist', file), 'utf8').trim();
  expect(textOf('licences.txt')).toContain(text);
});
